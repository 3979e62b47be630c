import { join } from 'node:path';
import { memoryArchive } from '@ctx/archive';
import { bpeCounter } from '@ctx/core';
import { createContextManager } from '@ctx/presets';
import { readSessions } from '@ctx/sessions';
import { assistant, handleProblems, handlesShown, testWithFiles, user, words } from '@ctx/testing';

const files = [
  'claude-code/8463c716-a2ea-4c14-9efa-87158ebd9f20',
  'openai-chat/swe-agent',
  'openai-chat/tau-bench-airline',
].map((name) => join(__dirname, `../../../../shared/data/${name}.jsonl`));

const counter = bpeCounter();

/** What the view shows is the same in every compression, and everything that it names can be read. */
testWithFiles('in real sessions every handle of the view is answered', files, async () => {
  let handles = 0;
  for (const file of files) {
    for await (const { messages } of readSessions(file, { lenient: true })) {
      const manager = createContextManager({
        counter,
        archive: memoryArchive(),
        config: { contextWindow: 10_000_000, throttleMs: 0, leadingUser: true, marker: true },
      });
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

test('a handle that nobody can read is noticed', async () => {
  const config = { contextWindow: 10_000_000, throttleMs: 0, minMessagesToKeep: 1 };
  const manager = createContextManager({ counter, archive: memoryArchive(), config });
  for (const message of [user('What is it?'), assistant(words(400)), user('Go on.'), assistant('Yes.')])
    manager.append(message);
  manager.append(user('And now?'));
  const plan = () => ({
    edits: [{ type: 'replace' as const, message: 'm2', part: 0, text: '[see #m99 or #m3:7]', reason: 'old' }],
  });
  await manager.compress({ strategy: { name: 'wrong', emits: ['replace'], plan }, targetTokens: 1 });
  expect(await handleProblems(manager)).toEqual([
    expect.stringContaining('#m99 is not answered'),
    expect.stringContaining('#m3:7 is not answered'),
  ]);
});
