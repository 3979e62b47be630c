import type { Archive, Folder, Summarizer } from '@ctx/core';
import { type ChatModel, createSummarizer } from '@ctx/strategy-condense';
import type { Waiting } from './settle.js';

type Answer = Awaited<ReturnType<ChatModel['complete']>>;

function model(complete: (user: string, signal: AbortSignal) => Promise<Answer>): Summarizer {
  return createSummarizer({
    model: { name: 'fake', complete: ({ user, signal }) => complete(user, signal) },
    minWindow: 1,
  });
}

const answer = (text: string): Answer => ({
  text,
  stopReason: 'stop',
  usage: { inputTokens: 10, outputTokens: 5 },
  cost: 0.001,
});

/** How summaries are written: extracted, which is the default, or by a model or a port that behaves like this. Answers that are no summary fail as a model does that throws. */
export const summarizers = {
  extracted: () => undefined,
  'model-good': () => model(async (user) => answer(`They spoke of ${user.length % 97} things.`)),
  'model-throws': () =>
    model(async () => {
      throw new Error('the model is down');
    }),
  'model-slow': (gate) =>
    model(async (user) => {
      await gate.wait();
      return answer(`After a while: ${user.length % 97} things.`);
    }),
  'port-hangs': () => ({ summarize: () => new Promise(() => {}) }),
  'port-no-text': () => ({ summarize: async () => ({ text: undefined }) as never }),
  'port-odd-notes': () => ({
    summarize: async ({ note }) => {
      note?.({ big: 1n, self: globalThis } as never);
      return { text: 'short', notes: { when: new Date(0), again: 2n } as never };
    },
  }),
} satisfies Record<string, (gate: Waiting) => Summarizer | undefined>;
export type SummaryName = keyof typeof summarizers;

/** An archive that takes everything, and is read by nobody here. */
export const deepArchive: Archive = {
  put: async () => {},
  keep: async () => {},
  get: async () => [],
  search: async () => [],
  forget: async () => {},
  close: async () => {},
};

/** A folder that returns names as if a file defined them, or nothing useful. */
export const fakeFolder: Folder = {
  fold: async ({ text, paths }) => {
    if (text.length % 7 === 0) throw new Error('cannot be parsed');
    return text.length % 5 === 0 ? text : `${paths.join(', ')}: function a, function b`;
  },
};
