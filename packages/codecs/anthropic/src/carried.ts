import type { Part } from '@ctx/core';
import { type Fields, isFields, otherFields, type Slot } from '@ctx/core/codec';
import type { AnyMessage } from './native-message.js';

/**
 * The places of fields that no part of core holds, such as `content[0].cache_control`: another provider's form loses them.
 * @param indices positions of the slots' blocks; those of all blocks by default
 */
export function carriedBy(native: AnyMessage, slots: readonly Slot[], indices?: readonly number[]): string[] {
  return [
    ...otherFields(native as never, ['role', 'content'], ''),
    ...slots.flatMap((slot, position) =>
      carriedIn(slot.native, slot.part, `content[${indices?.[position] ?? position}]`),
    ),
  ];
}

/** An opaque part holds all fields of its block. */
function carriedIn(block: unknown, part: Part | undefined, place: string): string[] {
  if (!isFields(block) || part === undefined || part.type === 'opaque') return [];
  const { source } = block;
  const inside = isFields(source) ? { source: ['type', ...saidOfSource(source, part)] } : {};
  const own = otherFields(block, ['type', ...saidOf(block, part)], place, inside);
  if (part.type !== 'tool-result' || typeof part.output === 'string' || part.output.type !== 'content')
    return own;
  const inner = part.output.value;
  const items: readonly unknown[] = Array.isArray(block.content) ? block.content : [];
  return [
    ...own,
    ...items.flatMap((item, index) => carriedIn(item, inner[index], `${place}.content[${index}]`)),
  ];
}

/** The fields of a block that its core part holds as well. */
function saidOf(block: Fields, part: Exclude<Part, { type: 'opaque' }>): string[] {
  switch (part.type) {
    case 'text':
      return [block.type === 'document' ? 'source' : 'text'];
    case 'image':
      return ['source'];
    case 'file':
      return part.filename === undefined ? ['source'] : ['source', 'title'];
    case 'tool-call':
      return ['id', 'name', 'input'];
    case 'tool-result':
      return ['tool_use_id', 'content', ...(part.isError === undefined ? [] : ['is_error'])];
    case 'reasoning':
      return ['thinking', ...(part.encrypted === undefined ? [] : ['signature', 'data'])];
    default:
      return part satisfies never;
  }
}

/** A text is plain, so that it need not say so. */
function saidOfSource({ media_type: mediaType, ...source }: Fields, part: Part): string[] {
  const isSaid =
    part.type === 'text' ? mediaType === 'text/plain' : 'mediaType' in part && part.mediaType === mediaType;
  return [source.type === 'url' ? 'url' : 'data', ...(isSaid ? ['media_type'] : [])];
}
