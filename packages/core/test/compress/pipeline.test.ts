import { assistant, managerOf, user, words } from '@ctx/testing';
import { defineStrategy, type Plan, type PlanContext } from '../../src/index.js';
import { drop } from '../edits.js';
import { heard } from '../heard.js';

const dropFirst = ({ view }: PlanContext) => drop(view[1]?.id as string);

describe('a strategy that asks to plan once more', () => {
  const conversation = [
    user('task'),
    ...Array.from({ length: 20 }, () => assistant(words(10))),
    user('go on'),
  ];
  test('sees the view that its edits left, and the state it returned', async () => {
    const seen: unknown[] = [];
    const strategy = defineStrategy({
      name: 'in-steps',
      emits: ['drop'],
      plan(context) {
        seen.push([context.state, context.view.length]);
        const step = Number(context.state?.step ?? 0) + 1;
        return {
          edits: [dropFirst(context)],
          notes: { [`step${step}`]: true },
          ...(step < 3 && { state: { step } }),
        };
      },
    });
    const manager = managerOf(conversation);
    const { record } = await manager.compress({ strategy, targetTokens: 0 });
    expect(seen).toEqual([
      [undefined, 22],
      [{ step: 1 }, 21],
      [{ step: 2 }, 20],
    ]);
    expect(record?.stages).toMatchObject([{ edits: 3, notes: { step1: true, step2: true, step3: true } }]);
  });

  test('stops as soon as the target is met, and after ten plans at most', async () => {
    let plans = 0;
    const strategy = defineStrategy({
      name: 'endless',
      emits: ['drop'],
      plan(context) {
        plans += 1;
        return { edits: [dropFirst(context)], state: {} };
      },
    });
    await managerOf(conversation).compress({ strategy, targetTokens: 175 });
    expect(plans).toBe(3);
    await managerOf(conversation).compress({ strategy, targetTokens: 0 });
    expect(plans).toBe(13);
  });

  test('continues below the target of the compression if it sets a lower one', async () => {
    const leftBy = async (own: number) => {
      const strategy = defineStrategy({
        name: 'deeper',
        emits: ['drop'],
        plan: (context) => ({ edits: [dropFirst(context)], state: {}, targetTokens: own }),
      });
      const manager = managerOf(conversation);
      await manager.compress({ strategy, targetTokens: 190 });
      return manager.stats().countedTokens;
    };
    expect([await leftBy(160), await leftBy(199)]).toEqual([153, 183]);
  });

  test('keeps its edits if it then fails, and the record says so', async () => {
    const strategy = defineStrategy({
      name: 'fragile',
      emits: ['drop'],
      plan(context) {
        if (context.state !== undefined) throw new Error('no second time');
        return { edits: [dropFirst(context)], state: {} };
      },
    });
    const { record } = await managerOf(conversation).compress({ strategy, targetTokens: 0 });
    expect(record?.stages).toMatchObject([{ status: 'progress', edits: 1, error: 'Error: no second time' }]);
  });
});

describe('a strategy that proposes nothing', () => {
  const idle = (name: string, reason?: string) =>
    defineStrategy({
      name,
      emits: ['drop'],
      plan: () => ({ edits: [], ...(reason !== undefined && { reason }) }),
    });
  const said = [user(words(30)), assistant(words(30)), user('go on')];

  test('gives the reason, and the outcome and the stage report repeat it', async () => {
    const strategies = [idle('first', 'Nothing is old'), idle('second'), idle('third', 'All is new')];
    const outcome = await managerOf(said, { strategies }).compress({ targetTokens: 10 });
    expect(outcome).toMatchObject({
      status: 'insufficient',
      reason: 'no stage made progress: first: Nothing is old; third: All is new',
      stages: [
        { strategy: 'first', status: 'no-progress', reason: 'Nothing is old' },
        { strategy: 'second', status: 'no-progress' },
        { strategy: 'third', reason: 'All is new' },
      ],
    });
  });

  test('but the outcome does not repeat it if another stage made progress', async () => {
    const drops = defineStrategy({
      name: 'drops',
      emits: ['drop'],
      plan: (context) => ({ edits: [dropFirst(context)], reason: 'not to be seen' }),
    });
    const manager = managerOf(said);
    const { reason, record } = await manager.compress({ strategy: drops, targetTokens: 10 });
    expect(reason).toBe('the target was not reached');
    expect(record?.stages[0]).not.toHaveProperty('reason');
  });
});

describe('what a strategy returns is copied once', () => {
  const conversation = [user('task'), assistant(words(10)), user('go on')];
  const returning = (plan: unknown) =>
    defineStrategy({ name: 'odd', emits: ['drop', 'own'], plan: () => plan as Plan });

  test('so a long word for what it chose is cut, and the event has the same one', async () => {
    const manager = managerOf(conversation);
    const seen = heard(manager, 'strategy-select', ({ chosen }) => chosen);
    const { record } = await manager.compress({
      strategy: returning({ edits: [drop('m2')], chosen: words(5000) }),
      targetTokens: 0,
    });
    expect(record?.chosen).toHaveLength(1000);
    expect(record?.stages[0]?.chosen).toBe(record?.chosen);
    expect(seen).toEqual([record?.chosen]);
  });

  test('and a target that is no number is refused in words', async () => {
    const strategy = returning({ edits: [], targetTokens: 10n });
    const { stages } = await managerOf(conversation).compress({ strategy, targetTokens: 0 });
    expect(stages).toMatchObject([
      { strategy: 'odd', status: 'failed', error: expect.stringMatching(/plan.targetTokens.*10n/) },
    ]);
  });
});
