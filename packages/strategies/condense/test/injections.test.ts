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
    const boundary = /<history-([0-9a-f]{8})>/.exec(asked[0] as string)?.[1] as string;
    const marked = lines.filter((line) => line.includes(boundary));
    expect(marked.slice(1)).toEqual([
      `<history-${boundary}>`,
      `### Message #1, assistant [${boundary}]`,
      `### Message #2, tool [${boundary}]`,
      `### Message #3, user [${boundary}]`,
      `### Message #4, assistant [${boundary}]`,
      `</history-${boundary}>`,
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
