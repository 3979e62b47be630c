import type { registerPreset } from '@ctx/core';
import type { Family } from './families.js';

/** Ways of working that the presets know. */
export const profileNames = ['relevance', 'classic'] as const;
export type ProfileName = (typeof profileNames)[number];
export type PresetRule = NonNullable<ReturnType<Parameters<typeof registerPreset>[1]>>;

export function isProfileName(name: string | undefined): name is ProfileName {
  return profileNames.some((known) => known === name);
}

/** The share of what may be removed that stays. With more, misses and the texts of edits gain little and the cost grows; see docs/results.md. */
const room = 0.4;
/** In a small window this many tokens stay, up to half of what may be removed: less is no working set. */
const leastTarget = 10_000;

/** The settings that a profile gives to a family of models, and options of the strategy for tool results. */
export const profiles = {
  /**
   * Clears outdated results, then makes an excerpt of everything older, which reaches nearly every target. If it does not, it folds files
   * that can be read again, then runs the family's own removal, then two strategies that continue where the removal ends. It compresses
   * rarely but deeply, so little is written again and the prompt cache holds for long.
   */
  relevance: ({ removal }) => ({
    pipeline: [
      ...new Set([
        'tool-results',
        'relevance',
        'file-folding',
        removal,
        'smart-truncation',
        'oldest-removal',
      ]),
    ],
    trigger: { window: true, cost: true },
    target: { room, atLeast: leastTarget },
    // Repeated reads are duplicates like any others.
    toolResults: { duplicates: { includeReads: true } },
  }),
  /**
   * The behaviour of earlier tools: old reads and terminal output are cleared before a send, and the
   * removal that suits the model brings a full window down to four fifths.
   */
  classic: ({ removal, compress }) => ({
    pipeline: ['tool-results', removal],
    // The documents' thresholds are shares of the window and nothing else.
    trigger: { fraction: compress },
    target: { fraction: compress > 0.8 ? 0.8 : 0.9 * compress },
    beforeSend: { pipeline: ['tool-results'] },
    toolResults: { duplicates: false },
  }),
} satisfies Record<ProfileName, (family: Family) => PresetRule & { readonly toolResults: object }>;
