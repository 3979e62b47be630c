import type { ResolvedEdit } from './edit.js';
import type { View } from './view.js';

/** What a record did to the view, or several old records together. */
export interface Step<Record> {
  /** Ids of the records that it stands for, oldest first: one, or those of a group. */
  readonly ids: readonly string[];
  /** Length of the transcript when the newest of them was made. */
  readonly transcriptLength: number;
  /** Undefined for a group, which is known by its view only. */
  readonly edits?: readonly ResolvedEdit[] | undefined;
  /** The whole record, as long as it is in the history. */
  readonly record?: Record | undefined;
  /** The view it left; messages said since may have been appended to it. It is there for groups and for what is in the history. */
  readonly after?: View | undefined;
}

/** How many groups of about the same number of records stay apart. */
const groupsOfASize = 2;

/**
 * The steps without groups too close to one another: two of one record stay, two of two or three, two of four to seven, and so on. The
 * farther back, the coarser: 2,000 records are some twenty groups.
 */
export function coarsened<Record>(steps: readonly Step<Record>[]): Step<Record>[] {
  const result = [...steps];
  for (let at = crowdedAt(result); at !== undefined; at = crowdedAt(result)) {
    const [older, newer] = result.slice(at, at + 2) as [Step<Record>, Step<Record>];
    result.splice(at, 2, { ...newer, ids: [...older.ids, ...newer.ids] });
  }
  return result;
}

/** Where the older of two groups stands that are to become one. */
function crowdedAt(steps: readonly Step<unknown>[]): number | undefined {
  const sizes = new Map<number, { readonly at: number; readonly count: number }>();
  for (let at = steps.length - 1; at >= 0; at -= 1) {
    const step = steps[at];
    if (step === undefined || step.edits !== undefined) continue;
    const size = Math.floor(Math.log2(step.ids.length));
    const count = (sizes.get(size)?.count ?? 0) + 1;
    if (count > groupsOfASize) return at;
    sizes.set(size, { at, count });
  }
  return undefined;
}

const numbered = /^(.*?)([1-9]\d{0,14})$/s;

/** Ids as text, neighbours in number as `record-3..9`. Read back by `idsOfRuns`. */
export function runsOf(ids: readonly string[]): string[] {
  const runs: { prefix: string; first: number; last: number }[] = [];
  for (const id of ids) {
    const [, prefix = id, digits] = numbered.exec(id) ?? [];
    const number = Number(digits ?? Number.NaN);
    const run = runs.at(-1);
    if (run?.prefix === prefix && run.last === number - 1) run.last = number;
    else runs.push({ prefix, first: number, last: number });
  }
  return runs.map(({ prefix, first, last }) => {
    if (Number.isNaN(first)) return prefix;
    return first === last ? `${prefix}${first}` : `${prefix}${first}..${last}`;
  });
}

const run = /^(.*?)([1-9]\d{0,14})\.\.([1-9]\d{0,14})$/s;

/** The ids of runs; a run without end is taken as one id. */
export function idsOfRuns(runs: readonly string[]): string[] {
  return runs.flatMap((text) => {
    const [, prefix, first, last] = run.exec(text) ?? [];
    const count = Number(last) - Number(first) + 1;
    if (!(count > 0 && count <= mostRecords)) return [text];
    return Array.from({ length: count }, (_, at) => `${prefix}${Number(first) + at}`);
  });
}

/** More records no conversation has; a longer run is garbage. */
const mostRecords = 10_000_000;
