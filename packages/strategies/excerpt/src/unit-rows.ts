import type { Candidates } from './candidates.js';

/** Columns of a row: as many as a line of the processor's cache holds, because units are measured in no order. */
export const rowWidth = 8;
/** The share of a unit's worth that counts whatever its neighbours are, times its weight. */
export const lineShareColumn = 0;
/** The share that counts only if its neighbours are kept too, times its weight. */
export const passageShareColumn = 1;
/** What it is worth besides its terms. */
export const fixedColumn = 2;
export const tokensColumn = 3;
/** Tokens that it shares with the next unit. */
export const sharedColumn = 4;
export const sourceColumn = 5;
/** Extra tokens of each passage of its source. */
export const gapColumn = 6;

/** What measuring a unit needs of the candidates, with one row for each unit. */
export type UnitRows = Float64Array;

/**
 * Writes the rows of the units from `first` to before `end`.
 * @param passages how much passages count against single lines, 0–1
 */
export function fillRows(
  rows: UnitRows,
  candidates: Candidates,
  fixed: Float64Array | undefined,
  { first, end, passages }: { readonly first: number; readonly end: number; readonly passages: number },
): void {
  const { source, tokens, weight, passageShare, shared, gapTokens } = candidates;
  for (let unit = first; unit < end; unit += 1) {
    const row = unit * rowWidth;
    const share = passages * (passageShare[unit] as number);
    rows[row + lineShareColumn] = (weight[unit] as number) * (1 - share);
    rows[row + passageShareColumn] = (weight[unit] as number) * share;
    rows[row + fixedColumn] = fixed === undefined ? 0 : (fixed[unit] as number);
    rows[row + tokensColumn] = tokens[unit] as number;
    rows[row + sharedColumn] = shared[unit] as number;
    rows[row + sourceColumn] = source[unit] as number;
    rows[row + gapColumn] = gapTokens[source[unit] as number] as number;
  }
}
