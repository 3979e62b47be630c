import {
  ContextManager,
  createContainer,
  defineStrategy,
  type Plan,
  registerStrategy,
  strategyFactory,
  strategyNames,
  strategyToken,
} from '@ctx/core';
import { managerOf, planContextOf, user, words } from '@ctx/testing';
import { z } from 'zod';
import { portToken } from '../../src/base/di.js';
import { drop } from '../edits.js';
import { thrownBy } from '../thrown-by.js';

const dropFirst = strategyFactory({
  name: 'drop-first',
  emits: ['drop'],
  options: z.strictObject({ count: z.int().min(1).default(2), reason: z.string().optional() }),
  plan({ view }, { count, reason = 'one of the first' }) {
    const first = view.filter(({ pinned }) => !pinned).slice(0, count);
    return { edits: first.map(({ id }) => ({ ...drop(id), reason })) };
  },
});

interface Clerk {
  readonly name: string;
}
const clerkToken = portToken<Clerk>('factory-clerk');

const twice = strategyFactory({
  name: 'twice',
  emits: ({ first }) => first.emits,
  options: z.strictObject({ loud: z.boolean().default(false) }),
  inject: { first: strategyToken('drop-first'), clerk: clerkToken },
  plan(context, { loud }, { first, clerk }): Plan | Promise<Plan> {
    const name = loud ? clerk.name.toUpperCase() : clerk.name;
    const finish = (plan: Plan): Plan => ({ ...plan, chosen: first.name, notes: { name } });
    const plan = first.plan(context);
    return plan instanceof Promise ? plan.then(finish) : finish(plan);
  },
});

const view = Array.from({ length: 8 }, () => user(words(10)));

test('when called, it makes a strategy from checked options and defaults', async () => {
  const context = await planContextOf(view, { targetTokens: 1 });
  expect(dropFirst().plan(context).edits).toHaveLength(2);
  expect(dropFirst({ count: 3, reason: 'mine' }).plan(context).edits).toMatchObject(
    Array.from({ length: 3 }, () => ({ reason: 'mine' })),
  );
  expect(dropFirst({ count: 3 })).toMatchObject({
    name: 'drop-first',
    emits: ['drop'],
    options: { count: 3 },
  });
  expect(dropFirst()).not.toHaveProperty('partial');
  expect(strategyFactory({ ...dropFirst.declaration, partial: true })().partial).toBe(true);
});

test('by its name it is used with the options of each manager', async () => {
  const container = createContainer();
  dropFirst.register(container);
  const dropped = async (options: Record<string, unknown>) => {
    const config = { pipeline: ['drop-first'], options: { 'drop-first': options } };
    return (await managerOf(view, { container, config }).compress({ targetTokens: 1 })).record?.edits.length;
  };
  expect(await Promise.all([dropped({}), dropped({ count: 5 })])).toEqual([2, 5]);
  expect(() => new ContextManager({ container, config: { options: { 'drop-first': { coun: 1 } } } })).toThrow(
    'option of strategy "drop-first"',
  );
});

test('its dependencies are injected by name, or given', async () => {
  const container = createContainer();
  registerStrategy(container, twice);
  registerStrategy(container, dropFirst);
  container.register(clerkToken, { useValue: { name: 'ada' } });
  expect(strategyNames(container)).toEqual(['twice', 'drop-first']);
  const config = { pipeline: ['twice'], options: { twice: { loud: true }, 'drop-first': { count: 1 } } };
  const { record } = await managerOf(view, { container, config }).compress({ targetTokens: 1 });
  expect(record?.stages[0]).toMatchObject({ chosen: 'drop-first', notes: { name: 'ADA' } });

  const given = twice({ first: dropFirst({ count: 3 }), clerk: { name: 'bob' } });
  expect(given.emits).toEqual(['drop']);
  expect(await given.plan(await planContextOf(view, { targetTokens: 1 }))).toMatchObject({
    notes: { name: 'bob' },
  });
});

describe('an error says', () => {
  const declaration = { name: 'x', emits: [], options: z.strictObject({}), plan: () => ({ edits: [] }) };

  test.each([
    ['a name', { ...declaration, name: '' }],
    ['a list of edit types', { ...declaration, emits: 'drop' }],
    ['a plan', { ...declaration, plan: undefined }],
    ['a schema', { ...declaration, options: { count: 3 } }],
  ])('that a declaration needs %s', (_what, wrong) => {
    expect(thrownBy(() => strategyFactory(wrong as never))).toMatchObject({
      code: 'strategy-invalid',
      place: 'strategyFactory',
    });
  });

  test('which option is wrong', () => {
    expect(thrownBy(() => dropFirst({ count: 0 }))).toMatchObject({
      code: 'config-invalid',
      place: 'options.drop-first.count',
      value: 0,
    });
    expect(thrownBy(() => dropFirst('all' as never))).toMatchObject({ code: 'config-invalid', value: 'all' });
  });

  test('what was not given', () => {
    expect(thrownBy(() => twice({ clerk: { name: 'ada' } } as never))).toMatchObject({
      code: 'config-invalid',
      place: 'twice.first',
      remedy: 'Give it: twice({ first: … }).',
    });
  });

  test('that the factory is not the strategy', () => {
    expect(thrownBy(() => defineStrategy(dropFirst as never)).remedy).toContain('dropFirst()');
    expect(thrownBy(() => registerStrategy(createContainer(), (() => dropFirst()) as never)).code).toBe(
      'strategy-invalid',
    );
  });

  test('which strategy that it needs is not registered', () => {
    const container = createContainer();
    twice.register(container);
    container.register(clerkToken, { useValue: { name: 'ada' } });
    expect(thrownBy(() => new ContextManager({ container, config: { pipeline: ['twice'] } }))).toMatchObject({
      code: 'strategy-unknown',
      place: 'twice.first',
      value: 'drop-first',
    });
  });
});
