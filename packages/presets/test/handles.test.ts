import { memoryArchive } from '@ctx/archive';
import { bpeCounter } from '@ctx/core';
import { createContextManager } from '@ctx/presets';
import { assistant, call, handleProblems, result, transcript, user, words } from '@ctx/testing';

const counter = bpeCounter();

function managerWith(options: object, config: object = {}) {
  const common = { contextWindow: 10_000_000, throttleMs: 0, leadingUser: true };
  return createContextManager({ counter, ...options, config: { ...common, ...config } });
}

test('the law notices a handle that nobody can read, and one that names something else', async () => {
  const manager = managerWith({ archive: memoryArchive() }, { minMessagesToKeep: 1 });
  for (const message of transcript(
    user('What does it do?'),
    call('c1', 'read', { path: 'a.ts' }),
    result('c1', words(400, 'line')),
    assistant('Nothing.'),
    user('Go on.'),
    assistant('Yes.'),
    user('And now?'),
  ))
    manager.append(message);
  const plan = () => ({
    edits: [{ type: 'replace' as const, message: 'm3', part: 0, text: '[see #m99 or #m3:7]', reason: 'old' }],
  });
  await manager.compress({ strategy: { name: 'wrong', emits: ['replace'], plan }, targetTokens: 1 });
  expect(await handleProblems(manager)).toEqual([
    expect.stringContaining('#m99 is not answered'),
    expect.stringContaining('#m3:7 is not answered'),
  ]);
});
