import type { Rule } from '@ctx/core';

/** Settings that a family of models shares, with the reason that the demo shows. */
export interface Family {
  readonly name: string;
  /** The models it matches; each gets a rule. */
  readonly matches: readonly Pick<Rule, 'provider' | 'model'>[];
  /** The strategy that removes messages from the view. */
  readonly removal: string;
  /** Shares of the window. */
  readonly warn: number;
  readonly compress: number;
  /** Messages. */
  readonly preserveStart: number;
  readonly preserveEnd: number;
  readonly minMessagesToKeep: number;
  readonly why: string;
  readonly settings?: Rule;
  /** True for models that count with another encoding than OpenAI's, of which nothing more is known. */
  readonly isEstimated?: true;
  /** For models of the family that are not in the table. */
  readonly reasoning?: Rule['reasoning'];
}

/** Tokens that a provider adds to each message and to a conversation. */
const openaiOverhead = { message: 3, conversation: 3 };
const anthropicOverhead = { message: 2, conversation: 5 };
/** Of models of which nothing is known. */
const otherOverhead = { message: 5, conversation: 10 };

const of = (
  warn: number,
  compress: number,
  preserveStart: number,
  preserveEnd: number,
  minMessagesToKeep = 4,
) => ({
  ...{ warn, compress, preserveStart, preserveEnd, minMessagesToKeep },
});

/** Which strategy suits which models, the most specific first. */
export const families: readonly Family[] = [
  {
    name: 'openai reasoning',
    matches: [{ model: 'o1' }, { model: 'o1-*' }, { model: 'o3*' }, { model: 'o4*' }],
    removal: 'middle-removal',
    ...of(0.9, 0.95, 8, 8),
    why: 'reasoning models need much of the start and of the end',
    settings: { overhead: openaiOverhead },
  },
  {
    name: 'openai gpt',
    matches: [{ model: 'gpt-4*' }, { model: 'gpt-5*' }, { model: 'gpt-6*' }, { model: 'chatgpt-*' }],
    removal: 'hybrid',
    ...of(0.85, 0.9, 6, 6),
    why: 'start and end weigh the same in a general conversation',
    settings: { overhead: openaiOverhead },
  },
  {
    name: 'anthropic',
    matches: [{ provider: 'anthropic' }, { model: 'claude*' }],
    removal: 'oldest-removal',
    ...of(0.85, 0.92, 5, 7),
    why: 'the newest messages weigh most',
    reasoning: 'bound',
    settings: {
      overhead: anthropicOverhead,
      leadingUser: true,
      prior: { offset: 0, factor: 1.24, perToolCall: 66, withTools: 2000 },
    },
  },
  {
    name: 'gemini 1.5',
    isEstimated: true,
    matches: [{ model: 'gemini*1.5*' }, { provider: 'google', model: '*1.5*' }],
    removal: 'middle-removal',
    ...of(0.9, 0.95, 10, 10),
    why: 'a very large window is compressed late and little',
    settings: { leadingUser: true },
  },
  {
    name: 'gemini',
    isEstimated: true,
    matches: [{ provider: 'google' }, { model: 'gemini*' }],
    removal: 'hybrid',
    ...of(0.8, 0.9, 4, 5),
    why: 'the conversation decides, and the user’s words come first',
    settings: { overhead: otherOverhead, leadingUser: true },
  },
  {
    name: 'local',
    isEstimated: true,
    matches: [{ provider: 'lmstudio' }, { provider: 'ollama' }],
    removal: 'hybrid',
    ...of(0.7, 0.8, 3, 4, 3),
    why: 'a small window is compressed early and much',
  },
];

/** The settings for a model that no family matches. */
export const otherModels: Family = {
  name: 'any other',
  isEstimated: true,
  matches: [],
  removal: 'hybrid',
  ...of(0.8, 0.9, 4, 5),
  why: 'nothing is known of the model, so the conversation decides',
  settings: { overhead: otherOverhead },
};
