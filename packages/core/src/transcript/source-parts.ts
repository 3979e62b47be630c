import { equal } from '../base/equal.js';
import type { Part } from './message.js';

/**
 * For each part the position of the part that it was before, undefined for a new one. Parts keep their order; where some have
 * left, an equal one is looked for, then one of the same kind. From the end, because reasoning leaves from the front.
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

/** An edited part keeps its type and call; an image or file may become text. */
function isKin(old: Part, part: Part): boolean {
  if ((old.type === 'tool-call' || old.type === 'tool-result') && old.type === part.type)
    return old.toolCallId === part.toolCallId;
  return old.type === part.type || (part.type === 'text' && (old.type === 'image' || old.type === 'file'));
}
