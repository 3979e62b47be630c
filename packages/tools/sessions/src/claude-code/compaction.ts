import { type Fields, isFields, known, nameIn, numberIn } from '../fields.js';
import type { Cut } from '../telling/told.js';

/** What the line before a summary says of the compaction. */
export interface Announced extends Pick<Cut, 'trigger' | 'tokensBefore' | 'tokensAfter'> {
  /** The uuids of the lines that the agent kept besides the summary: all of them, or the first and the last. */
  readonly kept?: { readonly all: readonly unknown[] } | { readonly first: string; readonly last: string };
}

/** Reads a `compactMetadata`. */
export function announcedIn(metadata: unknown): Announced {
  const fields = isFields(metadata) ? metadata : {};
  return known({
    trigger: nameIn(fields, 'trigger'),
    tokensBefore: numberIn(fields, 'preTokens'),
    tokensAfter: numberIn(fields, 'postTokens'),
    kept: keptIn(fields),
  });
}

function keptIn({ preservedMessages, preservedSegment }: Fields): Announced['kept'] {
  if (isFields(preservedMessages) && Array.isArray(preservedMessages.uuids))
    return { all: preservedMessages.uuids };
  if (!isFields(preservedSegment)) return undefined;
  const first = nameIn(preservedSegment, 'headUuid');
  const last = nameIn(preservedSegment, 'tailUuid');
  return first === undefined || last === undefined ? undefined : { first, last };
}

/** @param all the uuids of the file, in order */
export function keptUuids(kept: Announced['kept'], all: Iterable<string>): readonly string[] {
  if (kept === undefined) return [];
  const uuids = [...all];
  if ('all' in kept) {
    const named = new Set(kept.all);
    return uuids.filter((uuid) => named.has(uuid));
  }
  const start = uuids.indexOf(kept.first);
  return start === -1 ? [] : uuids.slice(start, uuids.lastIndexOf(kept.last) + 1);
}
