import { memoryArchive } from '@ctx/archive';
import { ContextManager, type ManagerOptions } from '@ctx/core';
import { assistant, user, wordCounter } from '@ctx/testing';

const settings: ManagerOptions = {
  counter: wordCounter,
  now: () => 5,
  config: { contextWindow: 200, overhead: { message: 0, conversation: 0 }, minMessagesToKeep: 1 },
};

const dropOlder = {
  name: 'drop-older',
  emits: ['drop'],
  plan: ({ view }: { view: readonly { id: string }[] }) => {
    const messages = view.slice(0, 2 * Math.floor(view.length / 4)).map(({ id }) => id);
    return { edits: messages.length < 2 ? [] : [{ type: 'drop', messages, reason: 'old' }] };
  },
} as never;

const found = async (manager: ContextManager, query: string) =>
  (await manager.find(query)).map(({ text }) => text);

async function talk(manager: ContextManager, from: number, to: number) {
  for (let number = from; number < to; number += 1) {
    manager.append(user(`question ${number}`));
    manager.append(assistant(`answer ${number} in ${'some words '.repeat(4)}`));
    if (number % 10 !== 9) continue;
    await manager.compress({ strategy: dropOlder, targetTokens: 1 });
    await manager.archived();
  }
}

test('two processes go on from one snapshot with one archive', async () => {
  const archive = memoryArchive();
  const first = new ContextManager({ ...settings, archive });
  await talk(first, 0, 80);
  const snapshot = JSON.stringify(first.snapshot());
  const second = ContextManager.restore(JSON.parse(snapshot), { ...settings, archive });
  await Promise.all([talk(first, 80, 140), talk(second, 80, 140)]);
  for (const manager of [first, second]) {
    expect(await manager.archived()).toBe(true);
    for (const number of [7, 90])
      expect(await found(manager, `question ${number}`)).toContain(`question ${number}`);
  }
});

test('after an old snapshot only what the archive has otherwise stays out of it, and in memory', async () => {
  const archive = memoryArchive();
  const one = new ContextManager({ ...settings, archive, conversation: 'one' });
  await talk(one, 0, 20);
  const old = JSON.stringify(one.snapshot());
  await talk(one, 20, 40);
  const other = ContextManager.restore(JSON.parse(old), { ...settings, archive });
  const failed: unknown[] = [];
  other.on('archive-fail', ({ error }) => failed.push(error));
  await talk(other, 1_020, 1_080);
  expect(failed).toContainEqual(expect.objectContaining({ code: 'archive-conflict' }));
  expect(await other.archived()).toBe(false);
  // Numbers that the archive has otherwise are left out; those behind them are found.
  expect(await found(other, 'question 1065')).toContain('question 1065');
  expect(await found(other, 'question 21')).not.toContain('question 21');
  expect(await found(one, 'question 21')).toContain('question 21');
});
