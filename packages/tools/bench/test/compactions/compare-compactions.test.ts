import { assistant, call, result, transcript, user, words } from '@ctx/testing';
import {
  type BenchSession,
  type CompactionResult,
  compactionHolders,
  compactionTables,
  compareCompactions,
  loadCounter,
} from '../../src/index.js';

describe('at a compaction', () => {
  const summary = `The user wants cart/total.ts fixed; first_step is done. ${words(60)}`;
  const before = transcript(
    user('Fix /shop/src/cart/total.ts with first_step and second_step.'),
    assistant(`${words(400)}`),
    user('Then ask third_step.'),
    assistant('I will.'),
  );
  const after = transcript(
    call('1', 'edit', { path: '/shop/src/cart/total.ts', text: 'first_step second_step third_step' }),
    result('1', 'done'),
  );
  const compaction = { before, after, summary };
  const session: BenchSession = {
    id: 's',
    source: 'a',
    model: {},
    messages: transcript(...before, ...after),
    compactions: [compaction],
  };
  let results: CompactionResult[];
  beforeAll(async () => {
    const tokensOf = await loadCounter();
    results = await compareCompactions(session, { tokensOf, common: new Set() });
  });
  const of = (holder: (typeof compactionHolders)[number]) => results.find((one) => one.holder === holder);

  test('the summary holds what it says, and paths that it writes relative', () => {
    expect(of("the agent's own summary")).toMatchObject({ needed: 4, number: 0, strict: 25, relative: 50 });
  });

  test('a plain window of its size holds what was said last', () => {
    expect(of('keep-last, same size')).toMatchObject({ strict: 25, relative: 25 });
  });

  test('nothing is larger than it may be', () => {
    const size = of("the agent's own summary")?.tokens ?? 0;
    expect(of('default pipeline, same size')?.tokens).toBeLessThanOrEqual(size);
    expect(of('default pipeline, twice the size')?.tokens).toBeLessThanOrEqual(2 * size);
  });

  test('beside a summary, what either holds counts', () => {
    const beside = of('summary beside default pipeline, each of the same size');
    const ours = of('default pipeline, same size');
    expect(beside?.strict).toBeGreaterThanOrEqual(Math.max(25, ours?.strict ?? 0));
    expect(beside?.relative).toBeGreaterThanOrEqual(Math.max(50, ours?.relative ?? 0));
  });

  test('there is no result if nothing is needed afterwards', async () => {
    const tokensOf = await loadCounter();
    const compactions = [{ ...compaction, after: [assistant('Done.')] }];
    expect(await compareCompactions({ ...session, compactions }, { tokensOf, common: new Set() })).toEqual(
      [],
    );
    const { compactions: _, ...without } = session;
    expect(await compareCompactions(without, { tokensOf, common: new Set() })).toEqual([]);
  });

  test('nor if only the provider can read the summary', async () => {
    const compactions = [{ before, after }];
    const tokensOf = await loadCounter();
    expect(await compareCompactions({ ...session, compactions }, { tokensOf, common: new Set() })).toEqual(
      [],
    );
  });
});

test('the table compares each with the summary at the same compactions', () => {
  const [own, window] = compactionHolders;
  const row = (holder: CompactionResult['holder'], number: number, strict: number, relative: number) => ({
    holder,
    session: 's',
    source: 'a',
    number,
    needed: 10,
    tokens: 1_500,
    strict,
    relative,
  });
  const [table] = compactionTables([
    row(own, 1, 40, 60),
    row(window, 1, 30, 30),
    row(own, 2, 20, 40),
    row(window, 2, 30, 50),
  ]);
  expect(table?.title).toBe('What is left after a compaction: 2 compactions by agents, 20 atoms used next');
  expect(table?.rows.slice(0, 2)).toEqual([
    [own, '1,500', '30.0', '–', '50.0', '–'],
    [window, '1,500', '30.0', '0.0', '40.0', '-10.0'],
  ]);
  expect(compactionTables([])).toEqual([]);
});
