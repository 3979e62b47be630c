import { assistant, managerOf, user, words } from '@ctx/testing';
import { defineStrategy, type PlanContext } from '../src/index.js';

describe('a strategy that asks to plan once more', () => {
  const conversation = [
    user('task'),
    ...Array.from({ length: 20 }, () => assistant(words(10))),
    user('go on'),
  ];
  const dropFirst = ({ view }: PlanContext) => ({
    type: 'drop' as const,
    messages: [view[1]?.id as string],
    reason: 'first',
  });

  test('plans on the view that its edits left, with what it asked to get back', async () => {
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

  test('stops as soon as the target is met, and after ten plans in any case', async () => {
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

  test('keeps what it did before it failed, and the record says so', async () => {
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
