import { memoryArchive } from '@ctx/archive';
import {
  type Archive,
  type Config,
  ContextManager,
  createContextManager,
  type Message,
  messageText,
} from '@ctx/core';
import { and, assistant, call, result, transcript, user, wordCounter, words } from '@ctx/testing';
import fc from 'fast-check';

type Arrivals = Config['arrivals'];

const optionsWith = (arrivals: Arrivals = { over: 500, to: 250 }, config: Config = {}) => ({
  counter: wordCounter,
  archive: memoryArchive(),
  config: { contextWindow: 100_000, arrivals, recallTool: 'recall', throttleMs: 0, ...config },
});

function managerWith(messages: readonly Message[], options = optionsWith()) {
  const manager = createContextManager(options);
  for (const message of messages) manager.append(message);
  return manager;
}

/** The texts of the next request. */
async function sent(manager: ContextManager): Promise<string[]> {
  await manager.checkAndCompress({ beforeSend: true });
  return manager.request().map(messageText);
}

const sentLast = async (manager: ContextManager) => (await sent(manager)).at(-1) as string;

/** 100 lines of ten words. One reports a failure, and one has a name that the user asks about. */
const log = Array.from({ length: 100 }, (_, at) => {
  if (at === 40) return `line 40 ${words(6)} Error: full`;
  return at === 70 ? `line 70 ${words(7)} Marguerite` : `line ${at} ${words(8)}`;
}).join('\n');

const asking = (output: string, tool = 'bash', input: unknown = { command: 'npm test' }) =>
  transcript(user('Why does Marguerite get no mail?'), call('c1', tool, input), result('c1', output));

describe('a new result that is too large', () => {
  test('is sent as an excerpt: what it is, its beginning and end, what failed and what was asked for', async () => {
    const excerpt = await sentLast(managerWith(asking(log)));
    expect(wordCounter.count(excerpt)).toBeLessThanOrEqual(250);
    for (const line of ['line 0 ', 'line 40 ', 'line 70 ', 'line 99 ']) expect(excerpt).toContain(line);
    expect(excerpt.split('\n')[0]).toBe(
      '[Excerpt of a result of 1,000 tokens in 100 lines. Read all of it with recall, ref #m3, or lines of it such as #m3:1-100. … stands for what is left out.]',
    );
  });

  test('can be read as it was, all of it and every part that is left out', async () => {
    const manager = managerWith(asking(log));
    const excerpt = await sentLast(manager);
    expect((await manager.read('#m3')).map(({ text }) => text)).toEqual([log]);
    const left = excerpt.matchAll(/^\[… (#m3:(\d+)(?:-(\d+))?) …\]$/gm);
    const shown = excerpt.split('\n').slice(1);
    const whole: string[] = [];
    for (const line of shown) {
      const [ref] = /#m3:[\d-]+/.exec(line) ?? [];
      if (ref === undefined) whole.push(line);
      else whole.push(...(await manager.read(ref)).map(({ text }) => text));
    }
    expect([...left].length).toBeGreaterThan(2);
    expect(whole.join('\n')).toBe(log);
  });
});
