import { join } from 'node:path';
import { memoryArchive } from '@ctx/archive';
import { bpeCounter } from '@ctx/core';
import { createContextManager } from '@ctx/presets';
import { readSessions } from '@ctx/sessions';
import {
  assistant,
  call,
  handleProblems,
  handlesShown,
  result,
  testWithFiles,
  transcript,
  user,
  words,
} from '@ctx/testing';

const files = [
  'claude-code/8463c716-a2ea-4c14-9efa-87158ebd9f20',
  'openai-chat/swe-agent',
  'openai-chat/tau-bench-airline',
].map((name) => join(__dirname, `../../../../shared/data/${name}.jsonl`));

const counter = bpeCounter();

function managerWith(options: object, config: object = {}) {
  return createContextManager({
    counter,
    ...options,
    config: { contextWindow: 10_000_000, throttleMs: 0, leadingUser: true, ...config },
  });
}

/** What the view shows is the same in every compression, and everything that it names can be read. */
testWithFiles('in real sessions every handle of the view is answered', files, async () => {
  let handles = 0;
  for (const file of files) {
    for await (const { messages } of readSessions(file, { lenient: true })) {
      const manager = managerWith({ archive: memoryArchive() }, { marker: true });
      for (const message of messages) manager.append(message);
      await manager.simulate({ targetTokens: 10_000_000 });
      const whole = manager.stats().countedTokens;
      for (const share of [0.5, 0.125]) {
        const targetTokens = Math.floor(whole * share);
        await manager.compress({ targetTokens });
        expect(await handleProblems(manager)).toEqual([]);
        handles += handlesShown(manager).length;
      }
      expect(await manager.archived()).toBe(true);
    }
  }
  expect(handles).toBeGreaterThan(files.length);
});

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

test('results of the tool that recalls leave first', async () => {
  const manager = managerWith({ archive: memoryArchive() });
  for (const message of transcript(
    user('What was the limit?'),
    call('r1', 'recall', { query: 'limit' }),
    result('r1', words(300, 'limit')),
    assistant('It was 40.'),
    user('Go on.'),
    assistant(words(300, 'thought')),
    user('And now?'),
  ))
    manager.append(message);
  const { currentTokens } = manager.stats();
  const { record } = await manager.compress({ targetTokens: currentTokens - 100 });
  expect(record?.stages.map(({ strategy }) => strategy)).toEqual(['recalled']);
});
