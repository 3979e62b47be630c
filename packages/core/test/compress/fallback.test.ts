import type { CompressionStrategy, PlanContext } from '@ctx/core';
import { managerOf, user, words } from '@ctx/testing';
import { drop, merge, planner } from '../edits.js';
import { heard } from '../heard.js';
import { talk } from '../talk.js';

const dropping = (name: string, count: number, partial = false): CompressionStrategy => {
  const oldest = ({ view }: PlanContext) => view.filter(({ pinned }) => !pinned).slice(0, count);
  return planner(name, (context) => oldest(context).map(({ id }) => drop(id)), { partial });
};
const noIdea = () => {
  throw new Error('out of ideas');
};
const failing = (partial = false) => planner('failing', noIdea, { partial });
const said = talk(20);

async function fallbacks(...strategies: CompressionStrategy[]) {
  const manager = managerOf(said, { strategies, config: { contextWindow: 1_000, minMessagesToKeep: 1 } });
  const used = heard(manager, 'fallback-use', ({ strategy, after }) => `${strategy} after ${after}`);
  const { record } = await manager.compress({ targetTokens: 100 });
  const marked = record?.stages.filter(({ fallback }) => fallback).map(({ strategy }) => strategy);
  return { used, marked };
}
const all = dropping('all', 10);

test.each<[string, CompressionStrategy[], string[]]>([
  ['one stage reaches the target', [all], []],
  ['a stage that prepares comes before', [dropping('prepares', 2, true), all], []],
  ['one that prepares finds nothing', [dropping('prepares', 0, true), all], []],
  ['one that prepares fails', [failing(true), all], ['all after failing']],
  ['a stage fails', [failing(), all], ['all after failing']],
  ['a stage finds nothing', [dropping('idle', 0), all], ['all after idle']],
  ['a stage does not reach the target', [dropping('some', 3), all], ['all after some']],
  [
    'one that prepares comes between',
    [dropping('some', 3), dropping('prepares', 1, true), all],
    ['prepares after some', 'all after some'],
  ],
])('%s: which stages are fallbacks', async (_title, strategies, expected) => {
  const { used, marked } = await fallbacks(...strategies);
  expect(used).toEqual(expected);
  expect(marked).toEqual(expected.map((line) => line.split(' ')[0]));
});

describe('notes that a stage wrote', () => {
  /** Merges the oldest messages into one of so many words. */
  const noting = (count: number, length: number) =>
    planner(
      'noting',
      ({ view }) => {
        const oldest = view.slice(0, count).map(({ id }) => id);
        return [merge(oldest, words(length, 'note'))];
      },
      { emits: ['merge'] },
    );
  const notesIn = async (
    contextWindow: number,
    targetTokens: number,
    ...strategies: CompressionStrategy[]
  ) => {
    const manager = managerOf(said, {
      strategies,
      config: { contextWindow, minMessagesToKeep: 1, reserve: 0 },
    });
    const { record } = await manager.compress({ targetTokens });
    return { notes: manager.view().filter(({ summary }) => summary), record, size: manager.view().length };
  };

  test('are not removed by a later stage if they fit the window', async () => {
    const { notes, record, size } = await notesIn(150, 50, noting(10, 20), dropping('oldest', 3));
    expect(notes).toHaveLength(1);
    expect(size).toBe(11);
    expect(record?.stages).toMatchObject([
      { strategy: 'noting', edits: 1, tokensAfter: 120 },
      { strategy: 'oldest', edits: 0, status: 'no-progress', tokensAfter: 120, fallback: true },
    ]);
    expect(record?.edits.map(({ type }) => type)).toEqual(['merge']);
  });

  test('and what the user said beside them are not removed by a later stage', async () => {
    const shorter = planner('noting', ({ view }) => [drop(view[1]?.id ?? '')], { emits: ['merge', 'drop'] });
    const { record, size } = await notesIn(195, 50, shorter, dropping('oldest', 3));
    expect(size).toBe(19);
    expect(record?.stages).toMatchObject([
      { strategy: 'noting', edits: 1 },
      { strategy: 'oldest', edits: 0, status: 'no-progress' },
    ]);
  });

  test('stay beside what a later stage removes, if that is enough', async () => {
    const newest = planner('newest', ({ view }) =>
      view.filter(({ message, pinned }) => message.role === 'assistant' && !pinned).map(({ id }) => drop(id)),
    );
    const { notes, size } = await notesIn(150, 80, noting(10, 20), newest);
    expect(notes).toHaveLength(1);
    expect(size).toBe(6);
  });

  test('may be removed if nothing else fits the window', async () => {
    const { notes } = await notesIn(110, 50, noting(10, 20), dropping('oldest', 3));
    expect(notes).toEqual([]);
  });

  test('may be removed if the stage that writes them fails', async () => {
    let works = true;
    const writer = noting(10, 20);
    const manager = managerOf(said, {
      strategies: [
        { ...writer, plan: (context) => (works ? writer.plan(context) : noIdea()) },
        dropping('oldest', 8),
      ],
      config: { contextWindow: 150, minMessagesToKeep: 1, reserve: 0 },
    });
    const notes = () => manager.view().filter(({ summary }) => summary);
    await manager.compress({ targetTokens: 50 });
    expect(notes()).toHaveLength(1);
    works = false;
    await manager.compress({ targetTokens: 50 });
    expect(notes()).toEqual([]);
  });
});

test('the last resort is a fallback, even after a stage that only prepares', async () => {
  const manager = managerOf(said, {
    strategies: [dropping('prepares', 1, true)],
    config: { contextWindow: 100, minMessagesToKeep: 1 },
  });
  const used = heard(manager, 'fallback-use', ({ strategy, after }) => `${strategy} after ${after}`);
  await manager.checkAndCompress();
  expect(used).toEqual(['last-resort after prepares']);
});

test('a request that grew during compression has a ratio over 1 and a negative reduction everywhere', async () => {
  const late = planner('late', () => {
    manager.append(user(words(90)));
    return [drop('m1')];
  });
  const manager = managerOf(said, { strategies: [late], config: { contextWindow: 1_000 } });
  const { record } = await manager.compress({ targetTokens: 100 });
  expect(record).toMatchObject({ tokensBefore: 200, tokensAfter: 280, ratio: 1.4 });
  expect(record?.reduction).toBeCloseTo(-0.4);
  expect(manager.stats()).toMatchObject({ averageRatio: 1.4, tokensRemoved: -80 });
});
