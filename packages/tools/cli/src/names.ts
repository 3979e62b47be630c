import { CtxError } from '@ctx/core';
import { nearest } from '@ctx/core/kit';

/** The error for a name that does not exist, with the nearest one that does. */
export function unknownName(place: string, name: string, known: readonly string[]): CtxError {
  const guess = nearest(name, known);
  return new CtxError({
    code: 'option-invalid',
    problem: `There is no "${name}"`,
    place,
    remedy: guess === undefined ? `There are: ${known.join(', ')}.` : `Did you mean "${guess}"?`,
  });
}
