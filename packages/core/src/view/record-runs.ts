/** Records in the order in which they were made. Their ids end in their numbers. */
export function inOrder<One extends { readonly id: string }>(records: readonly One[]): One[] {
  const numberOf = ({ id }: One) => Number(numbered.exec(id)?.[2]);
  return records.toSorted((one, other) => numberOf(one) - numberOf(other) || 0);
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
