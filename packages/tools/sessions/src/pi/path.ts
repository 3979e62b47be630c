import { type Fields, nameIn } from '../fields.js';

/** A record after the header. */
export interface PiEntry {
  readonly line: number;
  readonly fields: Fields;
}

/** The entries before a compaction that it kept, besides the summary. */
export function keptBy(
  compaction: PiEntry,
  all: readonly PiEntry[],
  branch: readonly PiEntry[],
): readonly PiEntry[] {
  const first = firstKept(all, compaction);
  const start = first === undefined ? -1 : branch.indexOf(first);
  return start === -1 ? [] : branch.slice(start, branch.indexOf(compaction));
}

/** Goes from the last entry up through its parents. If a parent is not in the file, the entry before takes its place. */
export function branchOf(all: readonly PiEntry[]): readonly PiEntry[] {
  const indexOf = new Map(all.map(({ fields }, index) => [nameIn(fields, 'id'), index]));
  indexOf.delete(undefined);
  if (indexOf.size === 0) return all;
  const branch: PiEntry[] = [];
  const seen = new Set<number>();
  let index = all.length - 1;
  for (let entry = all[index]; entry !== undefined && !seen.has(index); entry = all[index]) {
    seen.add(index);
    branch.push(entry);
    if (entry.fields.parentId === null) break;
    index = indexOf.get(nameIn(entry.fields, 'parentId')) ?? index - 1;
  }
  return branch.reverse();
}

/** Old files count the header as entry 0. */
function firstKept(all: readonly PiEntry[], { fields }: PiEntry): PiEntry | undefined {
  if (typeof fields.firstKeptEntryIndex === 'number') return all[fields.firstKeptEntryIndex - 1];
  return all.find((entry) => entry.fields.id !== undefined && entry.fields.id === fields.firstKeptEntryId);
}
