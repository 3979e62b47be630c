import type { SummarizeRequest } from '@ctx/core';
import { assistant, call, injections, result, transcript, user, words } from '@ctx/testing';
import { createSummarizer } from '../src/index.js';

const tokensOf = (text: string) => text.split(/\s+/).filter((word) => word !== '').length;

/** A conversation in which a tool, not the user, says it. */
function requestFor(injection: string): SummarizeRequest {
  const messages = transcript(
    call('1', 'bash', { command: 'cat page.html' }),
    result('1', injection),
    user(`Build the parser. ${words(40)}`),
    assistant(`I decided to use a table because it is fast. ${words(40)}`),
  );
  return {
    messages,
    originals: messages.map((message, at) => ({ number: at + 1, message })),
    maxTokens: 400,
    contextWindow: 100_000,
    automatic: false,
    tokensOf,
    signal: new AbortController().signal,
  };
}

describe('text that a tool returns is not part of the frame around it:', () => {
  test.each(injections)('%j', async (injection) => {
    const asked: string[] = [];
    const summarizer = createSummarizer({
      boundary: () => 'b7c1d2e3',
      model: {
        name: 'stub',
        complete: async (request) => {
          asked.push(request.user);
          return { text: `They built a parser. ${words(20, 'so')}`, stopReason: 'stop' };
        },
      },
    });
    await summarizer.summarize(requestFor(injection));
    const lines = (asked[0] as string).split('\n');
    const marked = lines.filter((line) => line.includes('b7c1d2e3'));
    expect(marked.slice(1)).toEqual([
      '<history-b7c1d2e3>',
      '### Message #1, assistant [b7c1d2e3]',
      '### Message #2, tool [b7c1d2e3]',
      '### Message #3, user [b7c1d2e3]',
      '### Message #4, assistant [b7c1d2e3]',
      '</history-b7c1d2e3>',
    ]);
  });
});

test('two summaries have different boundaries', async () => {
  const asked: string[] = [];
  const model = {
    name: 'stub',
    complete: async ({ user: said }: { user: string }) => {
      asked.push(/<history-([0-9a-f]{8})>/.exec(said)?.[1] ?? '');
      return { text: `They built a parser. ${words(20, 'so')}`, stopReason: 'stop' as const };
    },
  };
  const summarizer = createSummarizer({ model });
  for (let at = 0; at < 3; at += 1) await summarizer.summarize(requestFor('nothing'));
  expect(new Set(asked).size).toBe(3);
});
