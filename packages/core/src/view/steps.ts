import type { ResolvedEdit } from './edit.js';
import type { View } from './view.js';
import type { ViewForm } from './view-form.js';

/** What one record, or a group of old records, did to the view. */
export interface Step<Record> {
  /** Ids of its records, oldest first. */
  readonly ids: readonly string[];
  /** Length of the transcript when its newest record was made. */
  readonly transcriptLength: number;
  /** Undefined for a group, which keeps only its view. */
  readonly edits?: readonly ResolvedEdit[] | undefined;
  /** The whole record, while it is in the history. */
  readonly record?: Record | undefined;
  /** The view after it. Messages said later may have been appended. Kept for groups and for records in the history. */
  readonly after?: View | undefined;
  /** The same view as plain JSON instead, once messages have left memory. */
  readonly form?: ViewForm | undefined;
}

/** How many groups of similar size stay separate. */
const groupsOfASize = 2;

/**
 * Joins neighbouring groups, so that at most two remain of each size: one record, two or three, four to seven, and so
 * on. The further back, the larger the groups: 2,000 records become about twenty groups.
 */
export function coarsened<Record>(steps: readonly Step<Record>[]): Step<Record>[] {
  const result = [...steps];
  for (let at = crowdedAt(result); at !== undefined; at = crowdedAt(result)) {
    const [older, newer] = result.slice(at, at + 2) as [Step<Record>, Step<Record>];
    result.splice(at, 2, { ...newer, ids: [...older.ids, ...newer.ids] });
  }
  return result;
}

/** The position of the older of two groups that should be joined. */
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

/** Writes ids as texts. Consecutive numbers become a run such as `record-3..9`. `idsOfRuns` reads them back. */
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

/** The ids of runs. A malformed or impossible run is taken as one id. */
export function idsOfRuns(runs: readonly string[]): string[] {
  return runs.flatMap((text) => {
    const [, prefix, first, last] = run.exec(text) ?? [];
    const count = Number(last) - Number(first) + 1;
    if (!(count > 0 && count <= mostRecords)) return [text];
    return Array.from({ length: count }, (_, at) => `${prefix}${Number(first) + at}`);
  });
}

/** No conversation has more records. A longer run is garbage. */
const mostRecords = 10_000_000;
