import type { Rule } from '@ctx/core';
import type { Family } from './families.js';

/** Ways of working that the presets know. */
export const profileNames = ['relevance', 'classic'] as const;
export type ProfileName = (typeof profileNames)[number];

export function isProfileName(name: string | undefined): name is ProfileName {
  return profileNames.some((known) => known === name);
}

/** What a profile makes of a family of models. */
interface Profile {
  pipelineOf(family: Family): string[];
  settingsOf(family: Family): Pick<Rule, 'target' | 'beforeSend'> & {
    readonly toolResults: Readonly<Record<string, unknown>>;
  };
  /** What is kept free for the answer, of what the model may say. Tokens. */
  readonly answer: 'of the model' | 'default';
}

/** Below this a compression to a fifth of the window would lose too much. Tokens. */
const leastTarget = 15_000;

/** Clearing less at once costs more in a prompt cache than it saves: see examples/benchmarks/before-send.ts. Tokens. */
const leastCleared = 10_000;

export const profiles: Readonly<Record<ProfileName, Profile>> = {
  /**
   * Results that are out of date, then an excerpt of all that is older, which reaches nearly every target. Where it does not: files
   * that can be read again, the family's own removal, and two that go on where that has come to its end. Rarely and deep: what is
   * written anew is small, and the prompt cache holds for long.
   */
  relevance: {
    pipelineOf: ({ removal }) => [
      ...new Set([
        'tool-results',
        'relevance',
        'file-folding',
        removal,
        'smart-truncation',
        'oldest-removal',
      ]),
    ],
    settingsOf: () => ({
      target: { fraction: 0.2, atLeast: leastTarget },
      // Reads that came twice are duplicates like others.
      toolResults: { duplicates: { includeReads: true } },
    }),
    answer: 'of the model',
  },
  /**
   * What the documents behind this project describe: old reads and terminal output leave before a send (Snow), and the removal
   * that suits the model brings a full window down to four fifths (Cipher).
   */
  classic: {
    pipelineOf: ({ removal }) => ['tool-results', removal],
    settingsOf: ({ compress }) => ({
      target: { fraction: compress > 0.8 ? 0.8 : 0.9 * compress },
      beforeSend: { pipeline: ['tool-results'], atLeast: leastCleared },
      toolResults: { duplicates: false },
    }),
    answer: 'default',
  },
};
