import type { Folder, Summarizer } from '@ctx/core';
import { type ChatModel, createSummarizer } from '@ctx/strategy-condense';
import type { Gate } from './settle.js';

/** How summaries are written: extracted, which is the default, or by a model with this behaviour. */
export const summaryNames = [
  'extracted',
  'model-good',
  'model-empty',
  'model-refuses',
  'model-cut-off',
  'model-too-long',
  'model-throws',
  'model-slow',
  'port-hangs',
  'port-no-text',
  'port-odd-notes',
] as const;
export type SummaryName = (typeof summaryNames)[number];

type Answer = Awaited<ReturnType<ChatModel['complete']>>;

function model(complete: (user: string, signal: AbortSignal) => Promise<Answer>): Summarizer {
  return createSummarizer({
    model: { name: 'fake', complete: ({ user, signal }) => complete(user, signal) },
    boundary: () => 'abcdef12',
    minWindow: 1,
  });
}

const answer = (text: string, stopReason: Answer['stopReason'] = 'stop'): Answer => ({
  text,
  stopReason,
  usage: { inputTokens: 10, outputTokens: 5 },
  cost: 0.001,
});

/** The port; undefined to use the built-in one. */
export function summarizerOf(name: SummaryName, gate: Gate): Summarizer | undefined {
  switch (name) {
    case 'extracted':
      return undefined;
    case 'model-good':
      return model(async (user) => answer(`They spoke of ${user.length % 97} things.`));
    case 'model-empty':
      return model(async () => answer(''));
    case 'model-refuses':
      return model(async () => answer('I cannot help with that.', 'refusal'));
    case 'model-cut-off':
      return model(async () => answer('They spoke of', 'length'));
    case 'model-too-long':
      return model(async (user) => answer(user + user));
    case 'model-throws':
      return model(async () => {
        throw new Error('the model is down');
      });
    case 'model-slow':
      return model(async (user) => {
        await gate.opened;
        return answer(`After a while: ${user.length % 97} things.`);
      });
    case 'port-hangs':
      return { summarize: () => new Promise(() => {}) };
    case 'port-no-text':
      return { summarize: async () => ({ text: undefined }) as never };
    case 'port-odd-notes':
      return {
        summarize: async ({ note }) => {
          note?.({ big: 1n, self: globalThis } as never);
          return { text: 'short', notes: { when: new Date(0), again: 2n } as never };
        },
      };
    default:
      return name satisfies never;
  }
}

/** A folder that returns names as if a file defined them, or nothing useful. */
export const fakeFolder: Folder = {
  fold: async ({ text, paths }) => {
    if (text.length % 7 === 0) throw new Error('cannot be parsed');
    return text.length % 5 === 0 ? text : `${paths.join(', ')}: function a, function b`;
  },
};
