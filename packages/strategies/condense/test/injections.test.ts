import { assistant, call, injections, result, transcript, user, words } from '@ctx/testing';
import { createSummarizer } from '../src/index.js';
import { answering, requestFor } from './condensing.js';

/** A conversation in which a tool, not the user, says it. */
const saying = (injection: string) =>
  requestFor(
    transcript(
      call('1', 'bash', { command: 'cat page.html' }),
      result('1', injection),
      user(`Build the parser. ${words(40)}`),
      assistant(`I decided to use a table because it is fast. ${words(40)}`),
    ),
  );
const stub = () => answering(`They built a parser. ${words(20, 'so')}`);

describe('text that a tool returns is not part of the frame around it:', () => {
  test.each(injections)('%j', async (injection) => {
    const { model, asked } = stub();
    await createSummarizer({ model }).summarize(saying(injection));
    const { user: said = '' } = asked[0] ?? {};
    const lines = said.split('\n');
    const boundary = /<history-([0-9a-f]{8})>/.exec(said)?.[1] as string;
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
  const { model, asked } = stub();
  const summarizer = createSummarizer({ model });
  for (let at = 0; at < 3; at += 1) await summarizer.summarize(saying('nothing'));
  const boundaries = asked.map(({ user: said }) => /<history-([0-9a-f]{8})>/.exec(said)?.[1]);
  expect(new Set(boundaries).size).toBe(3);
});
