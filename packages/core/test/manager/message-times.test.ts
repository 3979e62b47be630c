import { ContextManager, type PlanContext } from '@ctx/core';
import { assistant, call, deepFreeze, user, wordCounter, words } from '@ctx/testing';
import { planner } from '../edits.js';

function managerAt(times: number[]) {
  let seen: PlanContext | undefined;
  const look = planner('look', (context) => {
    seen = context;
    return [];
  });
  const manager = new ContextManager({
    strategies: [look],
    counter: wordCounter,
    now: () => times[0] as number,
  });
  return { manager, context: () => seen };
}

test('a message has its own time, otherwise that of its append, and is left unchanged', async () => {
  const times = [1_000];
  const { manager, context } = managerAt(times);
  const [first, second] = deepFreeze([user('a'), { ...assistant('b'), createdAt: 7 }]);
  manager.append(first as never);
  times[0] = 2_000;
  manager.append(second as never);
  manager.append(user(words(40)));
  expect(manager.transcript.map(({ createdAt }) => createdAt)).toEqual([1_000, 7, 2_000]);
  expect(manager.view()[0]).toBe(first);
  expect(first).not.toHaveProperty('createdAt');
  await manager.compress({ targetTokens: 10 });
  expect(context()?.view.map(({ createdAt }) => createdAt)).toEqual([1_000, 7, 2_000]);
});

test('the result that closes an unanswered call has a time too', () => {
  const { manager } = managerAt([5]);
  manager.append(call('c', 'read', {}));
  manager.append(user('stop'));
  expect(manager.transcript.map(({ createdAt }) => createdAt)).toEqual([5, 5, 5]);
});

test('a snapshot names its provider and model, and restoring may name others', () => {
  const rules = [
    { provider: 'a', model: 'x', contextWindow: 1_000 },
    { model: 'y', contextWindow: 2_000 },
  ];
  const snapshot = new ContextManager({ provider: 'a', model: 'x', config: { rules } }).snapshot();
  expect(snapshot).toMatchObject({ provider: 'a', model: 'x' });
  expect(ContextManager.restore(snapshot, { config: { rules } }).stats().maxTokens).toBe(1_000);
  expect(ContextManager.restore(snapshot, { model: 'y', config: { rules } }).stats().maxTokens).toBe(2_000);
});
