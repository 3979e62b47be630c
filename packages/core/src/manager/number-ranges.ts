/** First and last of a run of whole numbers. */
export type NumberRange = readonly [number, number];

/** The numbers from 1 to `length` that are in none of the ranges. The ranges may be in any order. */
export function numbersOutside(ranges: readonly NumberRange[], length: number): NumberRange[] {
  return without([[1, length]], ranges);
}

/** All numbers of both, in order. */
export function together(one: readonly NumberRange[], other: readonly NumberRange[]): NumberRange[] {
  const joined: [number, number][] = [];
  for (const [first, last] of inOrder([...one, ...other])) {
    const newest = joined.at(-1);
    if (newest !== undefined && first <= newest[1] + 1) newest[1] = Math.max(newest[1], last);
    else joined.push([first, last]);
  }
  return joined;
}

/** The numbers of one that the other does not have, in order. */
export function without(one: readonly NumberRange[], other: readonly NumberRange[]): NumberRange[] {
  const rest: NumberRange[] = [];
  const removed = inOrder(other);
  let at = 0;
  for (const [start, end] of inOrder(one)) {
    let first = start;
    while (at > 0 && (removed[at - 1] as NumberRange)[1] >= first) at -= 1;
    for (; at < removed.length && (removed[at] as NumberRange)[0] <= end; at += 1) {
      const [from, to] = removed[at] as NumberRange;
      if (to < first) continue;
      if (from > first) rest.push([first, from - 1]);
      first = Math.max(first, to + 1);
    }
    if (first <= end) rest.push([first, end]);
  }
  return rest;
}

export function has(ranges: readonly NumberRange[], number: number): boolean {
  return ranges.some(([first, last]) => first <= number && number <= last);
}

function inOrder(ranges: readonly NumberRange[]): NumberRange[] {
  return ranges.filter(([first, last]) => first <= last).sort(([a], [b]) => a - b);
}
