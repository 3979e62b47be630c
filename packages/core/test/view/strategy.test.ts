import {
  type CompressionStrategy,
  ConfigError,
  type ContextManager,
  CtxError,
  defineStrategy,
  type PlanContext,
} from '@ctx/core';
import { deepFreeze, managerOf, user, words } from '@ctx/testing';
import { hanging, wait } from '../compress/held-time.js';
import { drop, planning as planningOf } from '../edits.js';
import { heard } from '../heard.js';

const messages = deepFreeze(Array.from({ length: 6 }, (_, at) => user(`${words(19)} ${at}`)));
const planning = (plan: (context: PlanContext) => unknown, name = 'odd'): CompressionStrategy => ({
  name,
  emits: ['drop'],
  plan: plan as CompressionStrategy['plan'],
});
const dropOldest = { ...planningOf(drop('m1'), drop('m2')), name: 'drop-oldest' };

function managerWith(...strategies: CompressionStrategy[]): ContextManager {
  const config = { timeoutMs: 20, contextWindow: 1_000_000 };
  return managerOf(messages, { wait, strategies, config });
}

describe('defineStrategy', () => {
  test('returns the strategy it was given', () => {
    expect(defineStrategy(dropOldest)).toBe(dropOldest);
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'hybrid'],
    ['an object without a name', { emits: [], plan() {} }],
    ['an object with an empty name', { name: '', emits: [], plan() {} }],
    ['an object that does not say what it emits', { name: 'x', plan() {} }],
    ['an object that cannot plan', { name: 'x', emits: [] }],
  ])('refuses %s', (_title, wrong) => {
    expect(() => defineStrategy(wrong as CompressionStrategy)).toThrow(ConfigError);
  });
});

describe('the stage fails, is reported, changes nothing and is followed by the next, if its strategy', () => {
  // biome-ignore lint/suspicious/noThenProperty: this is what a promise of another library looks like.
  const foreign = { then: () => void hanging() };
  const throwing = (error: unknown) => () => {
    throw error;
  };
  test.each<[string, (context: PlanContext) => unknown, string]>([
    ['throws', throwing(new TypeError('oops')), 'oops'],
    ['throws something that is not an error', throwing(Object.create(null)), '{}'],
    ['rejects', () => Promise.reject(new Error('later')), 'later'],
    ['returns nothing', () => undefined, 'returned no plan'],
    ['returns null', () => null, 'returned no plan'],
    ['returns a list', () => [drop('m3')], 'returned no plan'],
    ['returns no list of edits', () => ({ edits: 'all' }), 'returned no plan'],
    ['never settles', hanging, 'took longer than 20 ms'],
    ['never settles, with a promise of another library', () => foreign, 'took longer'],
  ])('%s', async (_title, plan, expected) => {
    const manager = managerWith(planning(plan), dropOldest);
    const failures = heard(manager, 'compression-fail', (failure) => failure);
    const { status, record } = await manager.compress({ targetTokens: 80 });
    expect(status).toBe('compressed');
    expect(record?.stages).toMatchObject([
      { strategy: 'odd', status: 'failed', edits: 0, error: expect.stringContaining(expected) },
      { strategy: 'drop-oldest', status: 'progress', edits: 2 },
    ]);
    expect(failures).toMatchObject([{ strategy: 'odd' }]);
    expect(manager.view()).toEqual(messages.slice(2));
  });
});

test('edits of a plan are checked one by one, and the valid ones apply', async () => {
  const half = planning(() => ({
    edits: [
      drop('nobody'),
      { type: 'replace', message: 'm1', part: 0, text: 'x', reason: 'undeclared' },
      null,
      drop('m1'),
    ],
  }));
  const manager = managerWith(half);
  const { record } = await manager.compress({ targetTokens: 0 });
  expect(record?.removed).toEqual(['m1']);
  expect(record?.rejected.map(({ invariant }) => invariant).sort()).toEqual([
    'declared-edits',
    'targets-exist',
    'targets-exist',
  ]);
});

describe('an edit type that is also a property of every object', () => {
  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    '%s has no resolver',
    async (type) => {
      const odd = planningOf({ type, reason: 'x' });
      const manager = managerOf(messages);
      const rejected = heard(manager, 'edit-reject', ({ invariant }) => invariant);
      await manager.compress({ strategy: odd, targetTokens: 0 });
      expect(rejected).toEqual(['targets-exist']);
    },
  );
});

test('a missing port gives an error that names the port and says how to provide it', async () => {
  const edit = { type: 'summarize', messages: ['m1', 'm2'], maxTokens: 9, reason: 'long' } as const;
  const manager = managerOf(messages);
  const failures = heard(manager, 'compression-fail', ({ error }) => error);
  await manager.compress({ strategy: planningOf(edit), targetTokens: 0 });
  const [error] = failures;
  expect(CtxError.isInstance(error) && error).toMatchObject({ code: 'port-missing', place: 'summarize' });
});
