import { gzipSync } from 'node:zlib';
import {
  type CompressionStrategy,
  ContextManager,
  createContainer,
  type Edit,
  type ManagerOptions,
  type PlanContext,
  registerStrategy,
} from '@ctx/core';
import { assistant, sentProblems, user, wordCounter, words } from '@ctx/testing';
import fc from 'fast-check';
import { drop, merge, planner, replace } from '../edits.js';
import { restored, stored } from '../restored.js';

// biome-ignore lint/suspicious/noExplicitAny: what is read-only is written to.
type Writable = any;

/** Drops, shortens or merges the oldest messages that may go. The long reason soon makes records too old. */
const changing = (kind: number, reason: string) =>
  planner(
    'changing',
    ({ view }) => {
      const [first, second] = view.filter(({ pinned }) => !pinned);
      if (first === undefined || second === undefined) return [];
      const edits = [drop(first.id), replace(second.id, 'cut'), merge([first.id, second.id], 'both')];
      return [{ ...(edits[kind] as Edit), reason }];
    },
    { emits: ['drop', 'replace', 'merge'] },
  );

const options: ManagerOptions = {
  counter: wordCounter,
  config: {
    contextWindow: 1_000_000,
    historySize: 2,
    minMessagesToKeep: 1,
    throttleMs: 0,
    overhead: { message: 0, conversation: 0 },
  },
};

async function play(manager: ContextManager, kinds: readonly number[], length = 3_000) {
  for (const [at, kind] of kinds.entries()) {
    manager.append(user(words(3 + (at % 5))));
    manager.append(assistant(words(2 + (at % 3))));
    await manager.compress({ strategy: changing(kind, 'r'.repeat(length)), targetTokens: 0 });
  }
}

const said = ({ transcript }: ContextManager) => transcript.map(({ message }) => message);

const kinds = fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 40 });

describe('records made before a send leave the history by themselves', () => {
  const shorten = planner('shorten', ({ view }) =>
    view
      .filter(({ pinned, tokens }) => !pinned && tokens > 3)
      .map(({ id }) => ({ ...replace(id, 'short'), reason: 'r'.repeat(3_000) })),
  );
  const mixed = (): ManagerOptions => {
    const container = createContainer();
    registerStrategy(container, shorten);
    const config = { ...options.config, historySize: 1, beforeSend: { pipeline: ['shorten'] } };
    return { ...options, container, config };
  };
  const playMixed = async (manager: ContextManager, kinds: readonly number[], length?: number) => {
    for (const kind of kinds) {
      await play(manager, kind < 3 ? [kind] : [], length);
      for (const said of [assistant(words(6)), user('go on'), assistant('done'), user('go on')])
        manager.append(said);
      if (kind === 3) await manager.checkAndCompress({ beforeSend: true });
    }
  };

  test('so those behind an old one of the other kind stay with it, up to ten times the history', async () => {
    const manager = new ContextManager(mixed());
    await playMixed(manager, [3, 0, 0, 0], 3);
    const ids = () => manager.snapshot().records.map(({ id }) => id);
    expect(ids()).toEqual(['compression-1', 'compression-2', 'compression-3', 'compression-4']);
    expect([...manager.history, ...manager.simplifications].map(({ id }) => id)).toEqual([
      'compression-4',
      'compression-1',
    ]);
    expect(await manager.explain('m1')).toMatchObject({ state: 'dropped', record: 'compression-2' });
    await playMixed(manager, Array(20).fill(0), 3);
    expect(ids()).toEqual(['compression-24']);
    expect(await manager.explain('m1')).toMatchObject({
      state: 'dropped',
      text: expect.stringContaining('too old'),
    });
    const other = restored(manager, mixed());
    expect(other.view()).toEqual(manager.view());
    expect(stored(other)).toEqual(stored(manager));
  });

  test('a restored manager has the same view and records, whatever the order of both kinds', async () => {
    const some = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(some, fc.constantFrom(3, 1_000), async (kinds, length) => {
        const manager = new ContextManager(mixed());
        await playMixed(manager, kinds, length);
        const other = restored(manager, mixed());
        expect(other.view()).toEqual(manager.view());
        expect(stored(other)).toEqual(stored(manager));
      }),
      { numRuns: 20 },
    );
  });
});

test('rewinding undoes the oldest records as a whole and leaves a valid view that accounts for every message', async () => {
  await fc.assert(
    fc.asyncProperty(kinds, fc.nat(), async (some, to) => {
      const manager = new ContextManager(options);
      await play(manager, some);
      const { transcript } = manager;
      const at = to % transcript.length;
      const { undone } = manager.rewindTo(transcript[at]?.id as string);
      expect(new Set(undone).size).toBe(undone.length);
      expect(manager.transcript).toHaveLength(at + 1);
      for (const { transcriptLength } of manager.history)
        expect(transcriptLength).toBeLessThanOrEqual(at + 1);
      expect(sentProblems(manager.view(), said(manager))).toEqual([]);
      await play(manager, [0, 2, 1]);
      expect(sentProblems(manager.view(), said(manager))).toEqual([]);
      expect(restored(manager, options).view()).toEqual(manager.view());
    }),
    { numRuns: 20 },
  );
});

test('a rewind to before the one view that is kept takes all records back and shows what was said', async () => {
  const manager = new ContextManager(options);
  await play(manager, Array(30).fill(0));
  const { base, totals } = manager.snapshot();
  expect(manager.view().length).toBeLessThan(manager.transcript.length);
  const { undone } = manager.rewindTo(manager.transcript[(base?.transcriptLength ?? 0) - 2]?.id as string);
  expect(undone).toEqual(Array.from({ length: totals.compressions }, (_, at) => `compression-${at + 1}`));
  expect(manager.view()).toEqual(said(manager));
  expect(manager.snapshot().base).toBeUndefined();
});

test.each<[string, (view: Writable[]) => void]>([
  ['a message that is not there', (view) => view.push(9_999)],
  ['a message twice', (view) => view.push(view.find((one) => typeof one === 'number'))],
  ['a merged message that is not there', (view) => view.find((one) => one.origins).origins.push(9_999)],
])('a base view that names %s is refused', async (_title, spoil) => {
  const manager = new ContextManager(options);
  await play(manager, Array(8).fill(2));
  const snapshot = stored(manager);
  ContextManager.restore(snapshot, options);
  spoil(snapshot.base?.view as Writable);
  expect(() => ContextManager.restore(snapshot, options)).toThrow('does not fit its messages');
});

describe('after 500 compressions', () => {
  const compressed = async (strategy: CompressionStrategy) => {
    const manager = new ContextManager({ ...options, config: { ...options.config, historySize: 10 } });
    for (let at = 0; at < 500; at += 1) {
      for (const one of [user(words(40)), assistant(words(60)), user(words(30)), assistant(words(70))])
        manager.append(one);
      await manager.compress({ strategy, targetTokens: 0 });
    }
    return manager;
  };
  const free = ({ view }: PlanContext) => view.filter(({ pinned }) => !pinned).map(({ id }) => id);
  const dropping = planner('dropping', (context) =>
    free(context)
      .slice(0, -2)
      .map((id) => drop(id)),
  );
  const summing = planner('summing', (context) => [merge(free(context), words(100))], { emits: ['merge'] });

  test.each([
    ['that drop', dropping],
    ['that merge everything each time', summing],
  ])('%s, a compressed snapshot is smaller than the conversation by more than half', async (_, strategy) => {
    const manager = await compressed(strategy);
    const conversation = JSON.stringify(manager.transcript).length;
    expect(gzipSync(JSON.stringify(manager.snapshot())).length).toBeLessThan(conversation / 2);
    expect(restored(manager, options).view()).toEqual(manager.view());
  });
});

test('what a host does to a record, a snapshot or figures does not reach the manager', async () => {
  const manager = new ContextManager(options);
  await play(manager, [2, 0, 2]);
  const before = JSON.stringify(manager.snapshot());
  const attempts: ((got: Writable) => unknown)[] = [
    ({ history }) => history[0].edits[0].messages.pop(),
    ({ history }) => history[0].edits.pop(),
    ({ history }) => delete history[1].id,
    ({ snapshot }) => snapshot.records.pop(),
    ({ snapshot }) => Object.assign(snapshot.totals, { compressions: 0 }),
    ({ stats }) => Object.assign(stats.cost, { prefixTokens: -1 }),
  ];
  for (const attempt of attempts) {
    const { history } = manager;
    try {
      attempt({ history, snapshot: manager.snapshot(), stats: manager.stats() });
    } catch {}
    expect(JSON.stringify(manager.snapshot())).toBe(before);
  }
});
