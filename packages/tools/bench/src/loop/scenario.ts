import { seededRandom } from '@ctx/core';

/** A session to be worked through: files to read and change, with facts and rules that the user says once, at the beginning. */
export interface Scenario {
  readonly name: string;
  readonly files: number;
  /** Lines of each file. */
  readonly lines: number;
  readonly facts: number;
  readonly rules: number;
  /** About the tokens of the system prompt and the tools. */
  readonly fixedTokens: number;
  /** Lines that a run of the tests prints. */
  readonly testLines: number;
  /** The user gives the files to be changed in as many tasks, one after another; in the last one the model asks halfway whether to go on. @default 1 */
  readonly tasks?: number;
  /** About the tokens of a file of rules, such as CLAUDE.md, which the agent's program sends with the first message. @default none */
  readonly rulesFileTokens?: number;
}

const usual = { facts: 8, rules: 2, fixedTokens: 3_000, testLines: 40 };

/** Many small files, few large ones, and small ones behind a long system prompt and many tools. */
export const scenarios: readonly Scenario[] = [
  { ...usual, name: '24 files of 60 lines', files: 24, lines: 60 },
  { ...usual, name: '8 files of 400 lines', files: 8, lines: 400 },
  {
    ...usual,
    name: '24 files of 60 lines behind 17,000 tokens of system prompt and tools',
    files: 24,
    lines: 60,
    fixedTokens: 17_000,
  },
  {
    ...usual,
    name: '24 files of 60 lines in two tasks, with 2,400 tokens of CLAUDE.md',
    files: 24,
    lines: 60,
    tasks: 2,
    rulesFileTokens: 2_400,
  },
];

const words =
  'amber basin cedar delta ember fjord grove heron inlet jetty knoll larch maple north ocean pearl quartz ridge slate thorn umber valley willow yarrow zephyr'.split(
    ' ',
  );

/** Draws words and numbers; the same seed draws the same. */
export class Draw {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** A whole number from 0 to below the end. */
  below(end: number): number {
    return Math.floor(this.#random() * end);
  }

  /** One of a list that has some. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  word(): string {
    return this.pick(words);
  }

  words(count: number): string {
    return Array.from({ length: count }, () => this.word()).join(' ');
  }

  /** Sentences that say nothing in particular, of about as many tokens. */
  prose(tokens: number): string {
    const sentences = Math.max(1, Math.round(tokens / tokensOfSentence));
    return Array.from(
      { length: sentences },
      () => `The ${this.words(2)} comes before the ${this.words(2)} of the ${this.word()}.`,
    ).join(' ');
  }
}

/** Tokens; counted with o200k. */
const tokensOfSentence = 14;
