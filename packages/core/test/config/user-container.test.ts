import 'reflect-metadata';
import { managerOf } from '@ctx/testing';
import { inject, injectable, container as userContainer } from 'tsyringe';
import { z } from 'zod';
import {
  type CompressionStrategy,
  createContainer,
  optionsToken,
  type PlanContext,
  registerStrategy,
  resolveStrategy,
  strategyFactory,
  strategyToken,
} from '../../src/index.js';
import { drop } from '../edits.js';
import { talk } from '../talk.js';

const options = z.strictObject({ keep: z.number().default(3) });
const keepNewest = strategyFactory({
  name: 'keep-newest',
  emits: ['drop'],
  options,
  plan: ({ view }, { keep }) => ({ edits: [drop(...view.slice(0, -keep).map(({ id }) => id))] }),
});

@injectable()
class Clerk {
  readonly notes: string[] = [];
}

/** Decorated as users do it, with their own import of tsyringe. */
@injectable()
class KeepAndNote implements CompressionStrategy {
  static readonly strategyName = 'keep-and-note';
  static readonly optionsSchema = options;
  readonly name = KeepAndNote.strategyName;
  readonly emits = ['drop'] as const;

  constructor(
    @inject(optionsToken(KeepAndNote.strategyName))
    readonly options: z.output<typeof KeepAndNote.optionsSchema>,
    @inject(Clerk) readonly clerk: Clerk,
  ) {}

  plan(context: PlanContext) {
    this.clerk.notes.push(`keeps ${this.options.keep}`);
    return keepNewest({ keep: this.options.keep }).plan(context);
  }
}

/** A manager of a conversation that fills its window, with one strategy. */
const managerWith = (container: ReturnType<typeof createContainer>, name: string, keep: number) =>
  managerOf(talk(8, 30), {
    container,
    config: { contextWindow: 250, reserve: 0, pipeline: [name], options: { [name]: { keep } } },
  });

describe.each([
  ['a container of tsyringe that a user made', () => userContainer.createChildContainer()],
  ['one that createContainer made', createContainer],
])('%s', (_, made) => {
  test('holds strategies, and a manager works with it', async () => {
    const container = made();
    registerStrategy(container, keepNewest);
    const manager = managerWith(container, 'keep-newest', 2);
    expect(await manager.checkAndCompress()).toMatchObject({ status: 'compressed' });
    expect(manager.history[0]?.stages[0]).toMatchObject({ strategy: 'keep-newest', status: 'progress' });
  });

  test('resolves a strategy with the defaults of its options, by name and by token', () => {
    const container = made();
    registerStrategy(container, keepNewest);
    expect(resolveStrategy(container, 'keep-newest')).toMatchObject({ options: { keep: 3 } });
    expect(container.resolve(strategyToken('keep-newest'))).toMatchObject({ options: { keep: 3 } });
  });

  test('resolves a class that the user decorated, with what it has injected', async () => {
    const container = made();
    const clerk = new Clerk();
    container.register(Clerk, { useValue: clerk });
    registerStrategy(container, KeepAndNote);
    expect(resolveStrategy(container, 'keep-and-note')).toMatchObject({ options: { keep: 3 }, clerk });
    await managerWith(container, 'keep-and-note', 5).checkAndCompress();
    expect(clerk.notes).toContain('keeps 5');
  });
});

test('options that have no default are asked for when the strategy is resolved', () => {
  const container = createContainer();
  const strict = strategyFactory({
    name: 'strict',
    emits: ['drop'],
    options: z.strictObject({ keep: z.number() }),
    plan: () => ({ edits: [] }),
  });
  registerStrategy(container, strict);
  expect(() => resolveStrategy(container, 'strict')).toThrow('strict.keep');
});

test('what one container holds is not in another', () => {
  const one = userContainer.createChildContainer();
  registerStrategy(one, keepNewest);
  expect(() => resolveStrategy(userContainer.createChildContainer(), 'keep-newest')).toThrow(
    'no strategy of this name',
  );
});
