import {
  type CompressionStrategy,
  ContextManager,
  createContainer,
  registerPreset,
  registerStrategy,
  strategyNames,
} from '@ctx/core';
import { z } from 'zod';
import { planner } from '../edits.js';
import { thrownBy } from '../thrown-by.js';

const idle = planner('idle', () => []);

function containerWith(...strategies: Parameters<typeof registerStrategy>[1][]) {
  const container = createContainer();
  for (const strategy of strategies) registerStrategy(container, strategy);
  return container;
}

class DropSome implements CompressionStrategy {
  static readonly strategyName = 'drop-some';
  static readonly optionsSchema = z.strictObject({});
  readonly name = DropSome.strategyName;
  readonly emits = ['drop'];
  plan = () => ({ edits: [] });
}

test('an object is registered by its name, like a class, which another compiler may have left undecorated', () => {
  const container = containerWith(DropSome, idle);
  expect(strategyNames(container)).toEqual(['drop-some', 'idle']);
  const { pipeline } = new ContextManager({ container, config: { pipeline: ['idle', 'drop-some'] } });
  expect(pipeline).toEqual(['idle', 'drop-some']);
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
