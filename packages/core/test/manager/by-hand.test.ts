import type { Settings } from '@ctx/core';
import { ContextManager, defineStrategy } from '@ctx/core';
import { assistant, managerOf, user, words } from '@ctx/testing';

/** Drops the oldest messages that may leave until the target is met. */
const dropOldest = defineStrategy({
  name: 'drop-oldest',
  emits: ['drop'],
  plan({ view, currentTokens, targetTokens }) {
    const messages: string[] = [];
    let tokens = currentTokens;
    for (const message of view) {
      if (tokens <= targetTokens) break;
      if (message.pinned) continue;
      messages.push(message.id);
      tokens -= message.tokens;
    }
    return { edits: messages.map((id) => ({ type: 'drop', messages: [id], reason: 'old' })) };
  },
});
const overflow = Object.assign(new Error("This model's maximum context length is 100 tokens."), {
  status: 400,
});
const said = (count: number, size = 10) =>
  Array.from({ length: count }, (_, at) => (at % 2 === 0 ? user(words(size)) : assistant(words(size))));
const filled = (count: number, config = {}, size = 10) =>
  managerOf(said(count, size), {
    strategies: [dropOldest],
    config: { contextWindow: 1_000, throttleMs: 0, minMessagesToKeep: 1, ...config },
  });

describe('compressing by hand without a target', () => {
  test('halves the request if that is below the configured target', async () => {
    const manager = filled(20);
    expect(manager.stats()).toMatchObject({ currentTokens: 200, targetTokens: 500 });
    expect(await manager.simulate()).toMatchObject({ tokensAfter: 100 });
    expect((await manager.compress()).status).toBe('compressed');
    expect(manager.stats().currentTokens).toBe(100);
    await manager.compress({ strategy: dropOldest });
    expect(manager.stats().currentTokens).toBe(50);
  });

  test('goes down to the configured target if that is lower', async () => {
    const manager = filled(90, { target: { tokens: 300 } });
    await manager.compress();
    expect(manager.stats().currentTokens).toBe(300);
  });

  test('does nothing if the request is already at or below the given target', async () => {
    expect(await filled(20).compress({ targetTokens: 200 })).toEqual({
      status: 'unchanged',
      reason: 'already at the target',
    });
  });
});

test('works if compression is disabled, when nothing else compresses', async () => {
  const manager = filled(99, { enabled: false });
  expect(manager.willCompress()).toBe(false);
  const unchanged = { status: 'unchanged', reason: 'disabled' };
  expect(await manager.checkAndCompress()).toEqual(unchanged);
  expect(await manager.add(user(words(10)))).toEqual(unchanged);
  expect(await manager.recover(overflow)).toEqual(unchanged);
  expect((await manager.compress()).status).toBe('compressed');
  expect(manager.stats().currentTokens).toBe(500);
});

describe('a trigger by the number of messages', () => {
  const triggers: [string, Settings['trigger']][] = [
    ['alone', { messages: 20 }],
    ['in any', { any: [{ fraction: 0.9 }, { messages: 20 }] }],
    ['in all', { all: [{ tokens: 20 }, { messages: 20 }] }],
  ];
  test.each(triggers)('%s leads to fewer messages and then rests', async (_title, trigger) => {
    const manager = filled(20, { trigger, target: { tokens: 500 } });
    expect(manager.willCompress()).toBe(true);
    const { status, record } = await manager.checkAndCompress();
    expect(status).toBe('compressed');
    expect(record).toMatchObject({ messagesBefore: 20, messagesAfter: 14 });
    expect(manager.willCompress()).toBe(false);
  });

  test('asks the strategy again if it removed only large messages', async () => {
    const manager = managerOf([...said(4, 60), ...said(20, 2)], {
      strategies: [dropOldest],
      config: { contextWindow: 10_000, trigger: { messages: 24 }, minMessagesToKeep: 1 },
    });
    const { status, record } = await manager.checkAndCompress();
    expect(status).toBe('compressed');
    expect(record?.messagesAfter).toBeLessThanOrEqual(16);
    expect(record?.stages.length).toBeGreaterThan(1);
    expect(record?.stages.some(({ fallback }) => fallback)).toBe(false);
  });

  test('removes no more than needed if messages are small and the prompt is large', async () => {
    const messages = [{ role: 'system' as const, content: words(5_000) }, ...said(30, 5)];
    const manager = managerOf(messages, {
      strategies: [dropOldest],
      config: { contextWindow: 100_000, trigger: { messages: 31 }, breaker: { strikes: 1 } },
    });
    const { record } = await manager.checkAndCompress();
    expect(record?.messagesAfter).toBe(21);
    for (const message of said(10, 5)) manager.append(message);
    expect((await manager.checkAndCompress({ beforeSend: true })).status).toBe('compressed');
  });

  test("that can't be satisfied says so once, and fires again after a tenth more messages", async () => {
    const clears = defineStrategy({
      name: 'clears',
      emits: ['replace'],
      plan: ({ view }) => ({
        edits: view
          .slice(0, 1)
          .map(({ id }) => ({ type: 'replace', message: id, part: 0, text: 'x', reason: 'old' })),
      }),
    });
    const manager = new ContextManager({
      strategies: [clears],
      config: { contextWindow: 100_000, trigger: { messages: 20 }, throttleMs: 0 },
    });
    for (const message of said(20)) manager.append(message);
    expect(await manager.checkAndCompress()).toMatchObject({
      status: 'insufficient',
      reason: '20 messages stay, but the target was 14',
    });
    expect(manager.willCompress()).toBe(false);
    expect((await manager.checkAndCompress()).reason).toBe('below the trigger');
    manager.append(user('one'));
    expect(manager.willCompress()).toBe(false);
    manager.append(assistant('two'));
    expect(manager.willCompress()).toBe(true);
    await manager.checkAndCompress();
    manager.rewindTo('m20');
    expect(manager.willCompress()).toBe(true);
  });
});
