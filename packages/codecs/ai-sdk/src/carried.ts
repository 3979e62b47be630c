import type { Part } from '@ctx/core';
import { type Fields, isFields, otherFields, type Slot } from '@ctx/core/codec';

/** The places of fields that no part of core holds, such as `content[0].providerOptions`: another provider's form loses them. */
export function carriedBy(message: Fields, slots: readonly Slot[]): string[] {
  const parts = slots.flatMap(({ native, part }, index) =>
    isFields(native) ? carriedByPart(native, part, `content[${index}]`) : [],
  );
  return [...otherFields(message, ['role', 'content'], ''), ...parts];
}

function carriedByPart(native: Fields, part: Part | undefined, place: string): string[] {
  if (part === undefined) return [place];
  switch (part.type) {
    case 'opaque':
      return [];
    case 'tool-call':
      return otherFields(native, ['type', 'toolCallId', 'toolName', 'input'], place);
    case 'tool-result':
      if (native.type !== 'tool-result') return [];
      return [
        ...otherFields(native, ['type', 'toolCallId', 'toolName', 'output'], place),
        ...carriedByOutput(native.output, part, `${place}.output`),
      ];
    default:
      return carriedByContent(native, part, place);
  }
}

/** Of a text, reasoning, image or file. */
function carriedByContent(native: Fields, part: Part, place: string): string[] {
  const isTagged = isFields(native.data) && typeof native.data.type === 'string';
  const inside = isTagged ? { data: ['type', 'data', 'url', 'text'] } : {};
  switch (part.type) {
    case 'image': {
      const said = ['type', 'image', 'data', 'url', ...(part.mediaType === undefined ? [] : ['mediaType'])];
      return otherFields(native, said, place, inside);
    }
    case 'file':
      return otherFields(native, ['type', 'data', 'url', 'mediaType', 'filename'], place, inside);
    case 'text':
      return otherFields(native, ['type', 'text', 'data'], place, inside);
    default:
      return otherFields(native, ['type', 'text'], place);
  }
}

function carriedByOutput(
  output: unknown,
  { output: said }: Extract<Part, { type: 'tool-result' }>,
  place: string,
) {
  if (!isFields(output) || typeof said === 'string') return [];
  if (output.type === 'execution-denied')
    return [`${place}.type`, ...otherFields(output, ['type', 'reason'], place)];
  const items = said.type === 'content' && Array.isArray(output.value) ? output.value : [];
  const isOpaque = said.type === 'content' && !Array.isArray(output.value);
  return [
    ...(isOpaque ? [] : otherFields(output, ['type', 'value'], place)),
    ...items.flatMap((item: unknown, index) => {
      const part = said.type === 'content' ? said.value[index] : undefined;
      if (part === undefined || part.type === 'opaque' || !isFields(item)) return [];
      return carriedByContent(item, part, `${place}.value[${index}]`);
    }),
  ];
}
