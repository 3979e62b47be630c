import type { Candidate } from '@ctx/bench/measure';
import { CtxError } from '@ctx/core';
import { nearest } from '@ctx/core/kit';

/**
 * The candidates that are named, or all.
 * @throws CtxError `option-invalid` for a name that does not exist, with the nearest one that does
 */
export function candidatesNamed(
  candidates: readonly Candidate[],
  only: readonly string[] | undefined,
): readonly Candidate[] {
  if (only === undefined) return candidates;
  const names = candidates.map(({ name }) => name);
  const unknown = only.find((name) => !names.includes(name));
  if (unknown === undefined) return candidates.filter(({ name }) => only.includes(name));
  const guess = nearest(unknown, names);
  throw new CtxError({
    code: 'option-invalid',
    problem: `There is no "${unknown}"`,
    place: '--only',
    remedy: guess === undefined ? `There are: ${names.join(', ')}.` : `Did you mean "${guess}"?`,
  });
}
