import type { Message } from '@ctx/core';
import { assistant, user } from '@ctx/testing';
import {
  type BenchRun,
  type BenchSession,
  candidates,
  markdownTable,
  runBench,
  summarize,
  tablesOf,
} from '../src/index.js';
import { cutResult, replayResult } from './results.js';
import { codingSession } from './small-cut.js';

describe('the summary of cuts', () => {
  const cuts = [
    cutResult({ source: 'a', session: '1', usableCtx: 0, inBudget: false, ms: 5, far: undefined }),
    cutResult({ source: 'a', session: '1', usableCtx: 50, ms: 1 }),
    cutResult({ source: 'a', session: '2', usableCtx: 75, validOpenai: false, ms: 3 }),
    cutResult({ source: 'b', session: '1', usableCtx: 100, far: undefined }),
  ];
  const { overall, bySource, ...rest } = summarize(cuts, []);
  const [all] = overall;

  test('averages over the cuts of a session, then over sessions', () => {
    // Sessions of 25, 75 and 100.
    expect(all).toMatchObject({
      candidate: 'one',
      kind: 'baseline',
      share: 0.5,
      cuts: 4,
      usableCtx: { mean: 200 / 3, sessions: 3, count: 4 },
    });
    expect(all).not.toHaveProperty('source');
    expect(bySource).toMatchObject([
      { source: 'a', cuts: 3, usableCtx: { mean: 50 } },
      { source: 'b', cuts: 1, usableCtx: { mean: 100 } },
    ]);
  });

  test('gives the share in budget and the share valid for both providers', () => {
    expect(all?.inBudget.mean).toBeCloseTo(250 / 3);
    expect(all?.valid.mean).toBeCloseTo(200 / 3);
  });

  test('leaves out cuts that have no far atoms, and sources that have none', () => {
    expect(all?.far).toMatchObject({ mean: 60, count: 2 });
    expect(bySource[1]?.far).toBeUndefined();
  });

  test('gives the median time', () => {
    expect(bySource[0]?.ms).toBe(3);
  });

  test('counts sessions, sources, and the cuts and atoms of one candidate at one budget', () => {
    const twice = [...cuts, ...cuts.map((one) => ({ ...one, candidate: 'two' }))];
    const budgets = [...twice, ...twice.map((one) => ({ ...one, share: 0.25 }))];
    const summary = summarize(budgets, []);
    expect(summary).toMatchObject({ sessions: 3, sources: ['a', 'b'], cuts: 4, needed: 16 });
    const order = summary.overall.map(({ candidate, share }) => `${candidate} at ${share}`);
    expect(order).toEqual(['one at 0.5', 'two at 0.5', 'one at 0.25', 'two at 0.25']);
    expect(rest).toMatchObject({ sessions: 3, cuts: 4, needed: 16, replays: [] });
  });
});

test('the summary of replays averages shares over sessions and sums counts', () => {
  const replays = [
    replayResult({ source: 'a', session: '1', misses: 0 }),
    replayResult({ source: 'a', session: '2', misses: 4, cost: 0.7, requests: 30, msPerStep: 6 }),
    replayResult({ source: 'b', misses: 8, uses: 16, cost: 1 }),
    replayResult({ source: 'b', limit: 64_000, uses: 0, misses: 0 }),
  ];
  const [at32, at64] = summarize([], replays).replays;
  // 0, 20 and 50 %.
  expect(at32?.missRate.mean).toBeCloseTo(70 / 3);
  // 20 % twice, and 4 of 16.
  expect(at32?.passageMissRate.mean).toBeCloseTo(65 / 3);
  expect(at32?.cost.mean).toBeCloseTo(2.2 / 3);
  const counts = { sessions: 3, requests: 50, overflows: 3, rewrites: 9, invalid: 0 };
  expect(at32).toMatchObject({ limit: 32_000, ...counts });
  expect(at32?.msPerStep).toBeCloseTo((10 * 2 + 30 * 6 + 10 * 2) / 50);
  expect(at64).toMatchObject({ limit: 64_000, missRate: { mean: 0 } });
});

test('candidates are compared with the default pipeline, paired by session', () => {
  const cuts = ['easy', 'hard'].flatMap((session) => {
    const usableCtx = session === 'easy' ? 95 : 15;
    return [
      cutResult({ session, candidate: 'other', usableCtx }),
      cutResult({ session, candidate: 'default pipeline', usableCtx: usableCtx - 5 }),
    ];
  });
  const replays = ['other', 'default pipeline'].map((candidate, misses) =>
    replayResult({ candidate, misses }),
  );
  const summary = summarize(cuts, replays);
  const { differences } = summary;
  expect(differences[0]).toEqual({
    candidate: 'other',
    against: 'default pipeline',
    share: 0.5,
    figure: 'usableCtx',
    value: { mean: 5, error: 0, sessions: 2, count: 2 },
  });
  expect(differences.find(({ figure }) => figure === 'misses')).toMatchObject({
    limit: 32_000,
    value: { mean: -5, error: undefined },
  });
  const table = tablesOf(summary).find(({ title }) => title.startsWith('Difference to'));
  expect(table?.title).toBe('Difference to default pipeline, paired by session');
  expect(table?.columns.slice(0, 3)).toEqual(['candidate', 'sessions', 'usableCtx at 50 %']);
  expect(table?.rows).toHaveLength(1);
  expect(table?.rows[0]?.slice(0, 3)).toEqual(['other', 2, '+5.0 ± 0.0']);
});

test('nothing measured is a summary of nothing', () => {
  const empty = summarize([], []);
  expect(empty).toEqual({
    sessions: 0,
    sources: [],
    cuts: 0,
    needed: 0,
    overall: [],
    bySource: [],
    replays: [],
    differences: [],
  });
  expect(tablesOf(empty).every(({ rows }) => rows.length === 0)).toBe(true);
});

describe('a run', () => {
  const sessions: BenchSession[] = [
    { id: 'long', source: 'a', model: {}, messages: codingSession(14) },
    { id: 'short', source: 'b', model: {}, messages: renamed(codingSession(9)) },
  ];
  const chosen = ['keep-last', 'importance', 'oldest-removal', 'LangChain trimMessages'];
  const options = {
    candidates: candidates.filter(({ name }) => chosen.includes(name)),
    limits: [4_000],
  };
  let run: BenchRun;
  const said: [string, number][] = [];
  beforeAll(async () => {
    run = await runBench(sessions, { ...options, onProgress: (what, done) => said.push([what, done]) });
  });

  /** Names that only this source has, because atoms of two sources do not count. */
  function renamed(messages: readonly Message[]): Message[] {
    const text = JSON.stringify(messages)
      .replaceAll('value', 'other')
      .replaceAll('src/part-', 'lib/file-')
      .replaceAll('order-48', 'ticket-57');
    return JSON.parse(text) as Message[];
  }

  test('measures every candidate at every cut and budget', () => {
    expect(run.summary).toMatchObject({ sessions: 2, sources: ['a', 'b'] });
    expect(run.cuts).toHaveLength(run.summary.cuts * chosen.length * 3);
    expect(run.summary.cuts).toBe(4);
    expect(run.summary.overall).toHaveLength(chosen.length * 3);
    expect(said.at(-1)).toEqual(['short: keep-last under 4000', 15 / 16]);
  });

  test('replays every candidate that can be replayed, on sessions over the limit', () => {
    expect(run.replays.map(({ session, candidate }) => `${session} ${candidate}`).sort()).toEqual(
      chosen.map((candidate) => `long ${candidate}`).sort(),
    );
    for (const { cost, tokens, requests } of run.replays) {
      expect(cost).toBeGreaterThan(0);
      expect(tokens).toHaveLength(requests);
    }
  });

  test('has tables with a row for each candidate', () => {
    const tables = tablesOf(run.summary);
    expect(tables.map(({ title }) => title)).toEqual([
      'What is left of what the agent needs next',
      'In budget, valid, and with the user’s messages verbatim',
      'Difference to importance, paired by session',
      'Usable-ctx at 50 %, by source',
      'Usable-ctx at 25 %, by source',
      'Usable-ctx at 12.5 %, by source',
      'Replay under 4,000 tokens',
      'Edits and first looks under 4,000 tokens',
    ]);
    for (const { title, columns, rows } of tables) {
      const expected = chosen.filter((name) => title !== `Difference to ${name}, paired by session`);
      expect(rows.map(([name]) => name).sort()).toEqual([...expected].sort());
      for (const row of rows) expect(row).toHaveLength(columns.length);
    }
    expect(tables[3]?.columns).toEqual(['candidate', 'a', 'b']);
  });

  test('has no figures for sessions that are too short', async () => {
    const tiny = [
      { id: 'tiny', source: 'a', model: {}, messages: [user('src/a.ts'), assistant('src/a.ts')] },
    ];
    expect(await runBench(tiny)).toMatchObject({
      cuts: [],
      replays: [],
      summary: { sessions: 0 },
    });
  });
});

test('a table in Markdown has figures on the right and texts on the left', () => {
  const rows = [
    ['one', '1.5 ± 0.2'],
    ['another', '12'],
    ['third', '–'],
  ];
  expect(markdownTable(['name', 'figure'], rows).split('\n')).toEqual([
    '| name    | figure    |',
    '| ------- | --------- |',
    '| one     | 1.5 ± 0.2 |',
    '| another | 12        |',
    '| third   | –         |',
  ]);
  const small = markdownTable(['name', 'n'], [['one', 5]]).split('\n');
  expect(small).toEqual(['| name |   n |', '| ---- | --: |', '| one  |   5 |']);
});
