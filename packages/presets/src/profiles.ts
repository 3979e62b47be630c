import type { Rule, Settings } from '@ctx/core';
import type { Family } from './families.js';

/** Ways of working that the presets know. */
export const profileNames = ['relevance', 'classic'] as const;
export type ProfileName = (typeof profileNames)[number];

export function isProfileName(name: string | undefined): name is ProfileName {
  return profileNames.some((known) => known === name);
}

/** The settings that a profile gives to a family of models. */
interface Profile {
  pipelineOf(family: Family): string[];
  settingsOf(family: Family): Pick<Rule, 'target' | 'beforeSend'> & {
    readonly toolResults: Readonly<Record<string, unknown>>;
  };
  triggerOf(family: Family): Settings['trigger'];
  /** Tokens kept free for the answer, no more than the model may say. */
  readonly answer: 'of the model' | 'default';
}

/** The share of what may be removed that stays. With more, misses and the texts of edits gain little and the cost grows; see docs/results.md. */
const room = 0.4;
/** In a small window this many tokens stay, up to half of what may be removed: less is no working set. */
const leastTarget = 10_000;

export const profiles: Readonly<Record<ProfileName, Profile>> = {
  /**
   * Clears outdated results, then makes an excerpt of everything older, which reaches nearly every target. If it does not, it folds files
   * that can be read again, then runs the family's own removal, then two strategies that continue where the removal ends. It compresses
   * rarely but deeply, so little is written again and the prompt cache holds for long.
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
      target: { room, atLeast: leastTarget },
      // Repeated reads are duplicates like any others.
      toolResults: { duplicates: { includeReads: true } },
    }),
    triggerOf: () => ({ window: true, cost: true }),
    answer: 'of the model',
  },
  /**
   * The behaviour of earlier tools: old reads and terminal output are cleared before a send, and the
   * removal that suits the model brings a full window down to four fifths.
   */
  classic: {
    pipelineOf: ({ removal }) => ['tool-results', removal],
    settingsOf: ({ compress }) => ({
      target: { fraction: compress > 0.8 ? 0.8 : 0.9 * compress },
      beforeSend: { pipeline: ['tool-results'] },
      toolResults: { duplicates: false },
    }),
    // The documents' thresholds are shares of the window and nothing else.
    triggerOf: ({ compress }) => ({ fraction: compress }),
    answer: 'default',
  },
};
