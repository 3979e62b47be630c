import { bpeCounter, createContainer, createContextManager, type Message, seededRandom } from '@ctx/core';
import { excerptSections, intro } from '@ctx/excerpt';
import { assistant, call, result, transcript, user } from '@ctx/testing';
import { condense, register } from '../src/index.js';

const nouns = ['parser', 'ledger', 'invoice', 'scheduler', 'gateway', 'migration', 'session', 'cursor'];
const verbs = ['reads', 'drops', 'rewrites', 'retries', 'splits', 'merges', 'locks', 'validates'];

/** A session of an agent: a few questions, prose between calls, files that are read and commands that are run. */
function session(turns: number): Message[] {
  const random = seededRandom(7);
  const one = (words: readonly string[]) => words[Math.floor(random() * words.length)] as string;
  const sentence = () =>
    `The ${one(nouns)} ${one(verbs)} the ${one(nouns)} in src/${one(nouns)}-${Math.floor(random() * 90)}.ts after step ${Math.floor(random() * 900)}.`;
  const code = () =>
    Array.from(
      { length: 40 },
      (_, line) =>
        `${line % 9 === 8 ? '\n' : ''}  const ${one(nouns)}${line} = ${one(verbs)}(${one(nouns)}, ${Math.floor(random() * 1e4)});`,
    ).join('\n');
  return Array.from({ length: turns }, (_, turn) =>
    transcript(
      ...(turn % 6 === 0
        ? [user(`Please look at the ${one(nouns)}: it ${one(verbs)} the ${one(nouns)} twice.`)]
        : []),
      assistant(`${sentence()} ${sentence()}`),
      call(`r${turn}`, 'read', { path: `src/${one(nouns)}-${turn}.ts` }),
      result(`r${turn}`, code()),
      call(`b${turn}`, 'bash', { command: `npm test -- ${one(nouns)}` }),
      result(`b${turn}`, `${sentence()}\n${turn % 11 === 0 ? 'TypeError: x is undefined' : '12 passed'}`),
    ),
  ).flat();
}

const counter = bpeCounter();
beforeAll(() => counter.load?.());

async function condensed(messages: readonly Message[], targetTokens: number) {
  const container = createContainer();
  register(container);
  const manager = createContextManager({
    container,
    counter,
    config: { contextWindow: 1_000_000, throttleMs: 0 },
  });
  for (const message of messages) manager.append(message);
  const { status, record } = await manager.compress({ strategy: 'condense', targetTokens });
  return { status, record, view: manager.view() };
}

test.each([6_000, 12_000, 24_000])('without a model, a target of %d tokens is used', async (target) => {
  const messages = session(150);
  const { status, record, view } = await condensed(messages, target);
  expect(record?.tokensBefore).toBeGreaterThan(60_000);
  expect(status).toBe('compressed');
  expect(record?.tokensAfter).toBeLessThanOrEqual(target);
  expect(record?.tokensAfter).toBeGreaterThan(0.9 * target);
  expect((await condensed(messages, target)).view).toEqual(view);
});

test('a conversation that is a little larger than its target loses little', async () => {
  const messages = session(20);
  const { record } = await condensed(messages, 7_000);
  expect(record?.tokensBefore).toBeGreaterThan(8_500);
  expect(record?.tokensAfter).toBeLessThanOrEqual(7_000);
  expect(record?.tokensAfter).toBeGreaterThan(5_600);
});

test('it stays readable: after the ledger, every heading names a speaker or a call', async () => {
  const { view } = await condensed(session(150), 24_000);
  const summary = String(view.find((message) => message.summary === true)?.content);
  const start = summary.indexOf(intro);
  for (const line of summary.slice(0, start).split('\n')) expect(line).toMatch(/^($|#{2} \S|- \S| {2}\S?)/);
  const sections = excerptSections(summary.slice(start));
  expect(sections.length).toBeGreaterThan(20);
  for (const { heading } of sections) expect(heading).toMatch(/^(user|assistant|read|bash)\b/);
});

test('ten summaries in a row are not nested', async () => {
  const container = createContainer();
  register(container);
  const manager = createContextManager({
    container,
    counter,
    config: { contextWindow: 1_000_000, throttleMs: 0 },
  });
  for (let round = 0; round < 10; round += 1) {
    for (const message of session(30)) manager.append(message);
    await manager.compress({ strategy: condense(), targetTokens: 8_000 });
  }
  const summary = String(manager.view().find((message) => message.summary === true)?.content);
  expect(summary.match(/^ *## Conversation Summary$/gm)).toHaveLength(1);
  expect(summary.split(intro)).toHaveLength(2);
  expect(excerptSections(summary.slice(summary.indexOf(intro))).map(({ heading }) => heading)).not.toContain(
    'summary',
  );
});
