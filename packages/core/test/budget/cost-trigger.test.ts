import { ContextManager, settingsFor } from '@ctx/core';
import { assistant, user, wordCounter, words } from '@ctx/testing';
import { dropOldest } from '../drop-oldest.js';

const _measure = { tokens: 500, messages: 3, contextWindow: 1_000, allowedTokens: 900 };

describe('if a configuration gives prices', () => {
  const prices = { cacheRead: 0.1 };
  const triggerOf = (config: object) => settingsFor({ model: 'm' }, config).trigger;

  test('the cost is one more trigger', () => {
    expect(triggerOf({ prices })).toEqual({ fraction: 0.75, allowedTokens: true, cost: true });
    expect(triggerOf({ rules: [{ prices }] })).toMatchObject({ cost: true });
  });

  test('but not if it has its own trigger or gives no prices', () => {
    expect(triggerOf({ prices, trigger: { fraction: 0.5 } })).toEqual({ fraction: 0.5 });
    expect(triggerOf({})).toEqual({ fraction: 0.75, allowedTokens: true });
  });
});

describe('a conversation that is read again and again', () => {
  /**
   * Target 100. Each request reads 300 tokens, 200 more than the target, which costs 20. A rewrite costs 125, and
   * compression waits for three times that: 375.
   */
  const config = {
    trigger: { cost: true },
    target: { tokens: 100 },
    prices: { cacheRead: 0.1, cacheWrite: 1.25 },
    throttleMs: 0,
    overhead: { message: 0, conversation: 0 },
    minMessagesToKeep: 1,
  };
  const start = () => {
    const manager = new ContextManager({
      counter: wordCounter,
      strategies: [dropOldest],
      config: { contextWindow: 1_000, ...config },
    });
    for (const message of [user(words(199)), assistant('a'), user(words(99)), assistant('b')])
      manager.append(message);
    return manager;
  };

  test('is compressed when reading it has cost five times what writing the target costs', async () => {
    const manager = start();
    for (let request = 1; request <= 29; request += 1) {
      manager.append(user('x'));
      manager.view();
      expect((await manager.checkAndCompress({ beforeSend: true })).status).toBe('unchanged');
    }
    manager.append(user('x'));
    manager.view();
    const { record } = await manager.checkAndCompress({ beforeSend: true });
    expect(record?.reason).toContain('cost what a compression costs');
    expect(record?.tokensAfter).toBeLessThanOrEqual(100);
  });

  test('counts a view that is requested twice as one request', async () => {
    const manager = start();
    for (let asked = 0; asked < 50; asked += 1) manager.view();
    expect(manager.willCompress()).toBe(false);
  });

  test('starts counting from zero after a compression', async () => {
    const manager = start();
    for (let request = 1; request <= 32; request += 1) {
      manager.append(user('x'));
      manager.view();
      await manager.checkAndCompress({ beforeSend: true });
    }
    expect(manager.stats().compressions).toBe(1);
  });
});
