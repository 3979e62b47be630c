import {
  type CompressionStrategy,
  ContextManager,
  createContainer,
  defineStrategy,
  inject,
  injectable,
  optionsToken,
  type PlanContext,
  registerPreset,
  registerStrategy,
  strategyNames,
} from '@ctx/core';
import { managerOf, user, words } from '@ctx/testing';
import { z } from 'zod';
import { portToken } from '../../src/base/di.js';
import { thrownBy } from '../thrown-by.js';

interface Clerk {
  readonly name: string;
}
const clerkToken = portToken<Clerk>('clerk');

@injectable()
class DropSome implements CompressionStrategy {
  static readonly strategyName = 'drop-some';
  static readonly optionsSchema = z.strictObject({ count: z.int().min(1).default(2) });
  readonly name = DropSome.strategyName;
  readonly emits = ['drop'];

  constructor(
    @inject(optionsToken('drop-some')) readonly options: { count: number },
    @inject(clerkToken) readonly clerk: Clerk,
  ) {}

  plan({ view }: PlanContext) {
    const some = view.filter(({ pinned }) => !pinned).slice(0, this.options.count);
    return { edits: some.map(({ id }) => ({ type: 'drop', messages: [id], reason: this.clerk.name })) };
  }
}

const idle = defineStrategy({ name: 'idle', emits: ['drop'], plan: () => ({ edits: [] }) });

function containerWith(...strategies: Parameters<typeof registerStrategy>[1][]) {
  const container = createContainer();
  container.register(clerkToken, { useValue: { name: 'ada' } });
  for (const strategy of strategies) registerStrategy(container, strategy);
  return container;
}

async function dropped(container: ReturnType<typeof createContainer>, options?: Record<string, unknown>) {
  const config = { pipeline: ['drop-some'], ...(options && { options: { 'drop-some': options } }) };
  const manager = managerOf(Array(8).fill(user(words(10))), { container, config });
  const { record } = await manager.compress({ targetTokens: 1 });
  return record;
}

test('a class gets its options, checked and with defaults, and its ports injected', async () => {
  const container = containerWith(DropSome);
  expect((await dropped(container))?.edits).toHaveLength(2);
  const record = await dropped(container, { count: 5 });
  expect(record?.edits).toHaveLength(5);
  expect(record?.edits[0]?.reason).toBe('ada');
});

test('an object is registered by its name, like a class', () => {
  const container = containerWith(DropSome, idle);
  expect(strategyNames(container)).toEqual(['drop-some', 'idle']);
  expect(new ContextManager({ container, config: { pipeline: ['idle', 'drop-some'] } }).pipeline).toEqual([
    'idle',
    'drop-some',
  ]);
});

test('a class that another compiler left undecorated is made injectable', async () => {
  class Bare implements CompressionStrategy {
    static readonly strategyName = 'bare';
    static readonly optionsSchema = z.strictObject({});
    readonly name = Bare.strategyName;
    readonly emits = ['drop'];
    plan = () => ({ edits: [] });
  }
  expect(
    new ContextManager({ container: containerWith(Bare), config: { pipeline: ['bare'] } }).pipeline,
  ).toEqual(['bare']);
});

describe('an error says', () => {
  const make = (config: object) => () =>
    new ContextManager({ container: containerWith(DropSome, idle), config });

  test('that a name is taken', () => {
    expect(thrownBy(() => containerWith(idle, idle))).toMatchObject({
      code: 'strategy-duplicate',
      value: 'idle',
    });
  });
  test('which name was probably meant', () => {
    expect(thrownBy(make({ pipeline: ['drop-sum'] }))).toMatchObject({
      code: 'strategy-unknown',
      place: 'pipeline',
      remedy: 'Did you mean "drop-some"?',
    });
  });
  test('which names exist, if none is close', () => {
    expect(thrownBy(make({ pipeline: ['summarize-everything'] })).remedy).toBe(
      'Registered are drop-some, idle.',
    );
    expect(thrownBy(() => new ContextManager({ config: { pipeline: ['x'] } })).remedy).toContain(
      'None is registered',
    );
  });
  test('that an object takes no options from a configuration', () => {
    expect(thrownBy(make({ options: { idle: { keep: 3 } } }))).toMatchObject({
      code: 'config-invalid',
      place: 'options.idle',
    });
  });
});

test('the first preset that knows a model lies below the configuration', () => {
  const container = containerWith(idle);
  registerPreset(container, ({ model }) => (model === 'small' ? { contextWindow: 1_000 } : undefined));
  registerPreset(container, () => ({ contextWindow: 50_000, pipeline: ['idle'] }));
  const windowOf = (model: string, config = {}) =>
    new ContextManager({ container, model, config }).stats().maxTokens;
  expect([windowOf('small'), windowOf('large'), windowOf('small', { contextWindow: 7 })]).toEqual([
    1_000, 50_000, 7,
  ]);
});
