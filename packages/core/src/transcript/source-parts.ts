import { equal } from '../base/equal.js';
import type { Part } from './message.js';

/**
 * For each part, its position before the edit; undefined for a new part. Parts keep their order. If some are gone, each
 * part is matched with an equal one, otherwise with one of the same kind. The search runs from the end, because
 * reasoning is removed from the front.
 */
export function sourcesOf(parts: readonly Part[], before: readonly Part[]): (number | undefined)[] {
  if (parts.length === before.length) return parts.map((_, position) => position);
  const sources: (number | undefined)[] = parts.map(() => undefined);
  let end = before.length;
  for (let position = parts.length - 1; position >= 0; position -= 1) {
    const part = parts[position] as Part;
    const earlier = before.slice(0, end);
    const same = earlier.findLastIndex((old) => equal(old, part));
    const found = same >= 0 ? same : earlier.findLastIndex((old) => isKin(old, part));
    if (found < 0) continue;
    sources[position] = found;
    end = found;
  }
  return sources;
}

/** An edited part keeps its type and its call; an image or file may have become text. */
function isKin(old: Part, part: Part): boolean {
  if ((old.type === 'tool-call' || old.type === 'tool-result') && old.type === part.type)
    return old.toolCallId === part.toolCallId;
  return old.type === part.type || (part.type === 'text' && (old.type === 'image' || old.type === 'file'));
}
