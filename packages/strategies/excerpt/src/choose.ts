import type { Steps } from '@ctx/core';
import type { Candidates } from './candidates.js';
import { Selection } from './selection.js';

/** A unit that was chosen, with the units that were added with it. */
export interface Choice {
  /** The position of the unit among the candidates. */
  readonly unit: number;
  /** The positions of everything added: the unit, its neighbours, and those that they depend on, in order. */
  readonly added: readonly number[];
  /** Estimated tokens of everything added, with the heading. */
  readonly tokens: number;
  /** The worth that everything added contributed. */
  readonly gain: number;
}

export interface ChooseOptions {
  /** The most tokens of all choices together, by their estimates. */
  readonly roomTokens: number;
  /** The worth of each term, by id. */
  readonly weights: Float64Array;
  /** For each term, how many of the texts that stay contain it. */
  readonly held: Uint8Array;
  /** What each unit is worth besides its terms, whatever else is chosen. */
  readonly fixed?: Float64Array | undefined;
}

/**
 * Chooses units greedily: the next one is always the unit that adds the most worth per token, by itself or together with its two
 * neighbours. One part of a term's worth counts when a unit that contains it is chosen, the rest when that unit's neighbours are chosen
 * too, so passages grow where a neighbour costs less than a line elsewhere. A term adds little once it is contained in what was chosen.
 * This is budgeted maximum coverage (Khuller, Moss, Naor 1999), evaluated lazily (Minoux 1978). Their proof covers neither headings nor
 * passages, which make other units cheaper. Takes n log n time for n units.
 */
export function* choose(candidates: Candidates, options: ChooseOptions): Steps<Choice[]> {
  const selection = new Selection(candidates, options);
  yield* selection.run();
  return selection.choices;
}

/** How many choices, from the first on, have at most this many tokens together by their estimates. */
export function choicesWithin(choices: readonly Choice[], maxTokens: number): number {
  let left = maxTokens;
  const end = choices.findIndex(({ tokens }) => {
    left -= tokens;
    return left < 0;
  });
  return end < 0 ? choices.length : end;
}
