import { settingsFor } from '@ctx/core';
import { assistant, managerOf, user, words } from '@ctx/testing';
import { dropOldest } from '../drop-oldest.js';

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
  };
  const said = [user(words(199)), assistant('a'), user(words(99)), assistant('b')];
  const start = (more: object = {}) =>
    managerOf(said, { contextWindow: 1_000, strategies: [dropOldest], config: { ...config, ...more } });
  const send = async (manager: ReturnType<typeof start>) => {
    manager.append(user('x'));
    manager.view();
    return manager.checkAndCompress({ beforeSend: true });
  };

  test('is compressed when reading it has cost five times what writing the target costs', async () => {
    const manager = start();
    for (let request = 1; request <= 29; request += 1) expect((await send(manager)).status).toBe('unchanged');
    const { record } = await send(manager);
    expect(record?.reason).toContain('cost what a compression costs');
    expect(record?.tokensAfter).toBeLessThanOrEqual(100);
  });

  test('is compressed as soon if prices are in dollars for a token', async () => {
    const manager = start({ prices: { cacheRead: 0.1e-6, cacheWrite: 1.25e-6 } });
    for (let request = 1; request <= 30; request += 1) await send(manager);
    expect(manager.stats().compressions).toBe(1);
  });

  test('counts a view that is requested twice as one request', async () => {
    const manager = start();
    for (let asked = 0; asked < 50; asked += 1) manager.view();
    expect(manager.willCompress()).toBe(false);
  });

  test('starts counting from zero after a compression', async () => {
    const manager = start();
    for (let request = 1; request <= 32; request += 1) await send(manager);
    expect(manager.stats().compressions).toBe(1);
  });

  test('is left alone where what must stay is most of it: as many requests as were sent would not pay', async () => {
    const manager = managerOf([user(words(20)), assistant('a'), user(words(600)), assistant('b')], {
      contextWindow: 1_000,
      strategies: [dropOldest],
      config,
    });
    manager.pin(manager.transcript[2]?.id ?? '');
    const skipped: string[] = [];
    manager.on('compression-skip', ({ reason }) => skipped.push(reason));
    for (let request = 1; request <= 40; request += 1) await send(manager);
    expect(manager.stats().compressions).toBe(0);
    // It is asked again only when as much has been paid again.
    const unpaid = skipped.filter((reason) => reason.includes('does not save'));
    expect(unpaid).toHaveLength(3);
  });
});
