import type { Part } from '@ctx/core';
import { type Fields, isFields, otherFields, type Slot } from '@ctx/core/codec';
import type { Origin } from './origin.js';
import { responseText } from './response.js';

/** The places of fields that no part of core holds, such as `parts[0].thoughtSignature`: another provider's form loses them. */
export function carriedBy({ message, system, parts: indices }: Origin, slots: readonly Slot[]): string[] {
  const content = message as unknown;
  const inSlots = (placeOf: (index: number) => string) =>
    slots.flatMap(({ native, part }, position) =>
      carriedIn(native, part, placeOf(indices?.[position] ?? position)),
    );
  if (!isFields(content)) return inSlots((index) => `[${index}]`);
  if (system === true && !('parts' in content) && !('role' in content)) return inSlots(() => '');
  const isPlain = content.role === 'user' || (content.role === 'model' && system !== true);
  return [
    ...otherFields(content, isPlain ? ['role', 'parts'] : ['parts'], ''),
    ...inSlots((index) => `parts[${index}]`),
  ];
}

/** An opaque part holds all fields of its native part. */
function carriedIn(native: unknown, part: Part | undefined, place: string): string[] {
  if (!isFields(native) || part === undefined || part.type === 'opaque') return [];
  const at = (field: string) => (place === '' ? field : `${place}.${field}`);
  switch (part.type) {
    case 'text':
      return otherFields(native, ['text'], place);
    case 'reasoning':
      return otherFields(
        native,
        ['text', 'thought', ...(part.encrypted === undefined ? [] : ['thoughtSignature'])],
        place,
      );
    case 'image':
    case 'file':
      return carriedInMedia(native, part, place);
    case 'tool-call':
      return otherFields(native, [], place, {
        functionCall: ['name', 'args', ...saidId(part, native.functionCall)],
      });
    case 'tool-result':
      return [
        ...otherFields(native, ['functionResponse'], place),
        ...carriedInResponse(native.functionResponse as Fields, part, at('functionResponse')),
      ];
    default:
      return part satisfies never;
  }
}

/** An id that differs from the call's has no place in core's part. */
function saidId({ toolCallId }: { readonly toolCallId: string }, named: unknown): string[] {
  return isFields(named) && named.id === toolCallId ? ['id'] : [];
}

function carriedInMedia(native: Fields, part: Part, place: string): string[] {
  const field = isFields(native.inlineData) ? 'inlineData' : 'fileData';
  const said = [
    'data',
    'fileUri',
    'mimeType',
    ...(part.type === 'file' && part.filename !== undefined ? ['displayName'] : []),
  ];
  return otherFields(native, [], place, { [field]: said });
}

function carriedInResponse(
  response: Fields,
  part: Extract<Part, { type: 'tool-result' }>,
  place: string,
): string[] {
  const own = otherFields(response, ['name', 'response', 'parts', ...saidId(part, response)], place);
  if (typeof part.output === 'string' || part.output.type !== 'content' || !Array.isArray(response.parts))
    return own;
  const first = responseText(response.response) === undefined ? 0 : 1;
  const { value } = part.output;
  return [
    ...own,
    ...response.parts.flatMap((native: unknown, index) =>
      carriedIn(native, value[first + index], `${place}.parts[${index}]`),
    ),
  ];
}
