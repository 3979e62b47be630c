import type { Part } from '@ctx/core';
import { type Fields, isFields, otherFields } from '@ctx/core/codec';
import type { Origin } from './origin.js';
import { responseText } from './response.js';

/**
 * The places of fields that no part says, such as `parts[0].thoughtSignature`: another provider's form loses them.
 * @param indices positions of the native parts that the parts were made of, in the same order
 */
export function carriedBy(
  { message, system }: Origin,
  natives: readonly unknown[],
  indices: readonly number[],
  parts: readonly Part[],
): string[] {
  const content = message as unknown;
  if (!isFields(content)) return natives.flatMap((one, index) => carriedIn(one, parts[index], `[${index}]`));
  if (system === true && !('parts' in content) && !('role' in content))
    return carriedIn(content, parts[0], '');
  const isPlain = content.role === 'user' || (content.role === 'model' && system !== true);
  return [
    ...otherFields(content, isPlain ? ['role', 'parts'] : ['parts'], ''),
    ...indices.flatMap((index, position) => carriedIn(natives[index], parts[position], `parts[${index}]`)),
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
      return [
        ...otherFields(native, ['functionCall'], place),
        ...otherFields(
          native.functionCall as Fields,
          ['name', 'args', ...saidId(part, native.functionCall)],
          at('functionCall'),
        ),
      ];
    case 'tool-result':
      return [
        ...otherFields(native, ['functionResponse'], place),
        ...carriedInResponse(native.functionResponse as Fields, part, at('functionResponse')),
      ];
    default:
      return part satisfies never;
  }
}

/** An id that is not that of the call is said by no part. */
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
  const inner = place === '' ? field : `${place}.${field}`;
  return [...otherFields(native, [field], place), ...otherFields(native[field] as Fields, said, inner)];
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
