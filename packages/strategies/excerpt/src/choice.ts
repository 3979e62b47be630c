/** A unit that was chosen, with the units that were added with it. */
export interface Choice {
  /** The position of the unit among the candidates. */
  readonly unit: number;
  /** The positions of everything added: the unit and its neighbours, in order. */
  readonly added: readonly number[];
  /** Estimated tokens of everything added, with the heading. */
  readonly tokens: number;
  /** The worth that everything added contributed. */
  readonly gain: number;
}

export interface Chosen {
  /** In the order in which they were chosen. */
  readonly choices: readonly Choice[];
  /** Whether something might be chosen otherwise if there was more room. */
  readonly lacksRoom: boolean;
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

/** How many choices, from the first on, have at most this many tokens together by their estimates. */
export function choicesWithin(choices: readonly Choice[], maxTokens: number): number {
  let left = maxTokens;
  const end = choices.findIndex(({ tokens }) => {
    left -= tokens;
    return left < 0;
  });
  return end < 0 ? choices.length : end;
}
