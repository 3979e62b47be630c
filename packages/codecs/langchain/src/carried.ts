import type { Part } from '@ctx/core';
import { type Fields, isFields, otherFields } from '@ctx/core/codec';
import { reasoningText } from './block-to-part.js';
import { calledIn } from './calls.js';
import { saidOfMedia } from './media-block.js';
import { dataOf, functionCallIn, listOf, typeOf } from './native-message.js';
import type { LangChainSlot } from './slots.js';

/** The places of fields that no part of core holds, such as `usage_metadata`: another provider's form loses them. */
export function carriedBy(native: Fields, slots: readonly LangChainSlot[]): string[] {
  const fields = withoutEmpty(dataOf(native));
  const { additional_kwargs: more } = fields;
  return [
    ...otherFields(fields, saidOf(native, slots), ''),
    ...(isFields(more) ? otherFields(more, saidInMore(native), 'additional_kwargs') : []),
    ...carriedByContent(native, slots),
    ...carriedByCalls(native, slots, 'tool_calls'),
    ...carriedByCalls(native, slots, 'invalid_tool_calls'),
  ];
}

/** LangChain gives every message these fields, empty where nobody filled them. */
function withoutEmpty(fields: Fields): Fields {
  const isEmpty = (value: unknown) =>
    typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}

function saidOf(native: Fields, slots: readonly LangChainSlot[]): string[] {
  const said = ['type', 'content', 'additional_kwargs'];
  const part = slots[0]?.part;
  switch (typeOf(native)) {
    case 'ai':
      return [...said, 'tool_calls', 'invalid_tool_calls', 'tool_call_chunks'];
    case 'tool':
    case 'function': {
      const isNamed = part?.type === 'tool-result' && part.toolName === native.name;
      return [
        ...said,
        'tool_call_id',
        ...(isNamed ? ['name'] : []),
        ...(native.status === 'error' || native.status === 'success' ? ['status'] : []),
      ];
    }
    default:
      return said;
  }
}

/** The provider's own form of the calls, repeated. */
function saidInMore(native: Fields): string[] {
  const calls = listOf(native, 'tool_calls').length > 0 ? ['tool_calls'] : [];
  return functionCallIn(native) === undefined ? calls : [...calls, 'function_call'];
}

function carriedByContent({ content }: Fields, slots: readonly LangChainSlot[]): string[] {
  if (!Array.isArray(content)) return [];
  const [first] = slots;
  const items = first?.part?.type === 'tool-result' ? itemsOf(first.part) : undefined;
  return content.flatMap((block: unknown, index) => {
    if (!isFields(block)) return [];
    const part = items === undefined ? slots[index]?.part : items[index];
    const isOpaque = first?.native === content && part?.type === 'opaque';
    return isOpaque ? [] : carriedByBlock(block, part, `content[${index}]`);
  });
}

function itemsOf({ output }: Extract<Part, { type: 'tool-result' }>): readonly Part[] {
  return typeof output !== 'string' && output.type === 'content' ? output.value : [];
}

function carriedByBlock(block: Fields, part: Part | undefined, place: string): string[] {
  switch (part?.type) {
    case undefined:
    case 'tool-call': {
      const called = calledIn(block);
      return called === undefined ? [] : otherFields(block, ['type', 'id', 'name', called.field], place);
    }
    case 'reasoning':
      return otherFields(block, ['type', reasoningText(block) ?? 'data'], place);
    case 'text':
    case 'image':
    case 'file':
      return block.type === 'text' && block.source_type === undefined
        ? otherFields(block, ['type', 'text'], place)
        : carriedByMedia(block, part, place);
    default:
      return [];
  }
}

function carriedByMedia(block: Fields, part: Part, place: string): string[] {
  const said = saidOfMedia(block, part);
  return otherFields(block, said, place, {
    ...(isFields(block.image_url) && { image_url: ['url'] }),
    ...(isFields(block.source) && { source: ['type', 'data', 'url', 'media_type'] }),
    ...(said.includes('metadata') && { metadata: ['filename'] }),
  });
}

function carriedByCalls(
  native: Fields,
  slots: readonly LangChainSlot[],
  field: 'tool_calls' | 'invalid_tool_calls',
): string[] {
  return listOf(native, field).flatMap((call, index) => {
    const slot = slots.find((one) => one.field === field && one.native === call);
    if (!isFields(call) || slot?.part?.type !== 'tool-call') return [];
    return otherFields(call, ['type', 'id', 'name', 'args'], `${field}[${index}]`);
  });
}
