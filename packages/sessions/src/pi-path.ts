import { type Fields, nameIn } from './fields.js';
import type { Reading } from './reader.js';

/** A record after the header. */
export interface PiEntry {
  readonly line: number;
  readonly fields: Fields;
}

export interface PiPath {
  /** Everything on the branch of the last entry. */
  readonly branch: readonly PiEntry[];
  /** The entries that are read: all, or the newest compaction and what the model still sees. */
  readonly entries: readonly PiEntry[];
  /** How many entries of the branch are not read because they were compacted. */
  readonly before: number;
}

/** Finds the entries that make up the conversation. */
export function pathOf(all: readonly PiEntry[], from: Reading['from']): PiPath {
  const branch = branchOf(all);
  const at = branch.findLastIndex(({ fields }) => fields.type === 'compaction');
  const compaction = branch[at];
  if (from === 'start' || compaction === undefined) return { branch, entries: branch, before: 0 };
  const first = firstKept(all, compaction);
  const kept = first === undefined ? -1 : branch.indexOf(first);
  const old = branch.slice(kept === -1 ? at : kept, at).filter(({ fields }) => fields.type !== 'compaction');
  const entries = [compaction, ...old, ...branch.slice(at + 1)];
  return { branch, entries, before: branch.length - entries.length };
}

/** Goes from the last entry up through its parents. If a parent is not in the file, the entry before takes its place. */
function branchOf(all: readonly PiEntry[]): readonly PiEntry[] {
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
