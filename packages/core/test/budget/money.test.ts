import { type Config, ContextManager, type ManagerOptions, settingsFor } from '@ctx/core';
import { assistant, user, VirtualTime, wordCounter, words } from '@ctx/testing';
import fc from 'fast-check';
import { budgetOf } from '../../src/budget/budget.js';
import { dropOldest } from '../drop-oldest.js';
import { restored } from '../restored.js';

const config: Config = {
  contextWindow: 1_000,
  trigger: { window: true, cost: true },
  target: { room: 0.2 },
  prices: { cacheRead: 0.1, cacheWrite: 1.25, cacheMinutes: 5 },
  reserve: 0,
  throttleMs: 0,
  overhead: { message: 0, conversation: 0 },
  minMessagesToKeep: 1,
};

/** A conversation of 500 tokens, half of its window, that was just sent and answered. */
function asked(own: Config = {}, options: ManagerOptions = {}) {
  const time = new VirtualTime();
  const given = {
    counter: wordCounter,
    strategies: [dropOldest],
    now: time.now,
    config: { ...config, ...own },
  };
  const manager = new ContextManager({ ...given, ...options });
  for (let round = 1; round <= 5; round += 1) {
    manager.append(user(words(49)));
    manager.append(assistant(words(50)));
  }
  manager.append(user('next'));
  manager.request();
  manager.append(assistant(words(3)));
  manager.append(user('more'));
  const check = () => manager.checkAndCompress({ beforeSend: true });
  return { manager, time, check, given };
}

const minutes = (count: number) => count * 60_000;

describe('a rewrite is free, and compresses above a third of the window,', () => {
  test('when the cache has expired', async () => {
    const { time, check, manager } = asked();
    time.pass(minutes(5));
    expect((await check()).status).toBe('unchanged');
    time.pass(1);
    const { record } = await check();
    expect(record?.reason).toBe('the cache had expired');
    expect(record?.cost).toMatchObject({ breakEvenRequests: 1, withoutCompression: 500 * 1.25 });
    expect(manager.stats().currentTokens).toBeLessThanOrEqual(210);
  });

  test('when the tools have changed', async () => {
    const { check, manager } = asked({}, { tools: ['one'] });
    manager.setTools(['one']);
    expect((await check()).status).toBe('unchanged');
    manager.setTools(['one', 'two']);
    expect((await check()).record?.reason).toContain('tools had changed');
  });

  test('when the tools come in another order, and not when they come back while their cache is warm', async () => {
    const { check, manager, time } = asked({}, { tools: ['one', 'two'] });
    const ask = async (tools: readonly string[]) => {
      manager.setTools(tools);
      const isCold = manager.willCompress();
      manager.request();
      manager.reportUsage({ inputTokens: manager.stats().currentTokens });
      return isCold;
    };
    expect(await ask(['two', 'one'])).toBe(true);
    time.pass(minutes(3));
    expect(await ask(['one', 'two'])).toBe(false);
    time.pass(minutes(3));
    expect(await ask(['two', 'one'])).toBe(true);
    expect((await check()).status).toBe('unchanged');
    time.pass(minutes(4));
    manager.setTools(['one', 'two']);
    expect((await check()).record?.reason).toBe('the cache had expired');
    // What was sent before the compression is in no cache as it is now.
    manager.request();
    manager.setTools(['two', 'one']);
    for (const message of [user(words(300)), assistant('x'), user('y')]) manager.append(message);
    expect((await check()).record?.reason).toContain('tools had changed');
  });

  test('when another model goes on with the conversation', async () => {
    const { manager, given } = asked({}, { model: 'one' });
    const same = restored(manager, { ...given, model: 'one' });
    expect((await same.checkAndCompress({ beforeSend: true })).status).toBe('unchanged');
    const other = restored(manager, { ...given, model: 'other' });
    expect((await other.checkAndCompress({ beforeSend: true })).record?.reason).toContain('another model');
  });

  test('when a model goes on with it again after the life of its own cache, whoever read it in between', async () => {
    for (const [between, reason] of [
      [3, undefined],
      [6, 'the cache had expired'],
    ] as const) {
      const { manager, time, given } = asked({}, { model: 'one', tools: ['tool'] });
      const [room, narrow] = [
        { ...config, contextWindow: 2_000 },
        { ...config, contextWindow: 1_000 },
      ];
      const other = restored(manager, { ...given, config: room, model: 'other' });
      time.pass(minutes(between));
      other.request();
      other.append(assistant('done'));
      other.append(user('back'));
      const again = restored(other, { ...given, config: narrow, model: 'one' });
      expect((await again.checkAndCompress({ beforeSend: true })).record?.reason).toBe(reason);
      if (reason !== undefined) continue;
      // The other model's cache is as old as its own request.
      again.request();
      time.pass(minutes(4));
      const third = restored(again, { ...given, config: narrow, model: 'other' });
      expect((await third.checkAndCompress({ beforeSend: true })).status).toBe('unchanged');
      time.pass(minutes(2));
      expect((await third.checkAndCompress({ beforeSend: true })).record?.reason).toContain('had expired');
    }
  });

  test('also in a manager that was restored meanwhile', async () => {
    const { manager, time, given } = asked();
    const other = restored(manager, given);
    time.pass(minutes(6));
    expect((await other.checkAndCompress({ beforeSend: true })).record?.reason).toBe('the cache had expired');
  });
});

describe('nothing is compressed', () => {
  test('while the answers and requests keep the cache warm', async () => {
    const { manager, time, check } = asked();
    for (let request = 1; request <= 20; request += 1) {
      time.pass(minutes(4));
      manager.reportUsage({ inputTokens: manager.stats().currentTokens });
      time.pass(minutes(4));
      expect((await check()).status).toBe('unchanged');
      manager.request();
    }
  });

  test('if others have sent requests meanwhile, which kept it warm', async () => {
    const { manager, time, check } = asked({}, { tools: ['one'] });
    manager.append(assistant('an answer to a request that another process has sent'));
    manager.append(user('and on'));
    manager.setTools(['other']);
    time.pass(minutes(60));
    expect((await check()).status).toBe('unchanged');
    const { withCompression } = manager.stats().spent;
    manager.request();
    // 497 tokens, with the tools, are read from the cache.
    expect(manager.stats().spent.withCompression).toBeCloseTo(withCompression + 497 * 0.1 + 16 * 1.25, 6);
  });

  test('for a question without tools, after which the task goes on with them', async () => {
    for (const none of [undefined, []]) {
      const { manager, time, check } = asked({}, { tools: ['one'] });
      manager.setTools(none);
      expect((await check()).status).toBe('unchanged');
      manager.request();
      manager.setTools(['one']);
      expect((await check()).status).toBe('unchanged');
      manager.setTools(none);
      time.pass(minutes(6));
      expect((await check()).record?.reason).toBe('the cache had expired');
    }
  });

  test('by a snapshot without its tools, which are the same', async () => {
    const { manager, given } = asked({}, { tools: ['one'] });
    const { meter, ...rest } = manager.snapshot();
    const { tools, ...measured } = meter ?? {};
    expect(tools).toBe('["one"]');
    for (const [offered, status] of [
      ['one', 'unchanged'],
      ['other', 'compressed'],
    ]) {
      const snapshot = JSON.parse(JSON.stringify({ ...rest, meter: measured }));
      const restored = ContextManager.restore(snapshot, { ...given, tools: [offered] });
      expect((await restored.checkAndCompress({ beforeSend: true })).status).toBe(status);
    }
  });

  test('by a clock that goes backwards or shows no time', async () => {
    for (const shown of [-minutes(60), Number.NaN]) {
      let now = minutes(100);
      const { check } = asked({}, { now: () => now });
      now = shown;
      expect((await check()).status).toBe('unchanged');
    }
  });

  test('below a third of the window, or if little can leave', async () => {
    for (const own of [{ contextWindow: 1_700 }, { target: { tokens: 450 } }]) {
      const { time, check } = asked(own);
      time.pass(minutes(60));
      expect((await check()).status).toBe('unchanged');
    }
    const { manager, time, check } = asked();
    for (const { id } of manager.transcript.slice(0, 8)) manager.pin(id);
    time.pass(minutes(60));
    expect((await check()).reason).toContain('little can leave');
  });

  test('if cost is no trigger, nobody knows how long the cache lives, or compressions run in the background', async () => {
    const { cacheMinutes, ...prices } = config.prices ?? {};
    expect(cacheMinutes).toBe(5);
    for (const own of [{ trigger: { window: true } }, { prices }, { background: true }]) {
      const { time, check } = asked(own);
      time.pass(minutes(60 * 24));
      expect((await check()).reason).toBe('below the trigger');
    }
  });
});

describe('in a window of a million tokens', () => {
  const large = {
    contextWindow: 1_000_000,
    profileThresholds: {},
    trigger: { window: true, cost: true },
    target: { room: 0.4 },
  };
  const budget = budgetOf(large);

  test('a compression for the cost goes down as far as in a window of 250,000', () => {
    expect(budget.targetFor(20_000, true)).toBe(120_000);
    expect(budget.targetFor(20_000)).toBeGreaterThan(390_000);
  });

  test('never below what must stay and some room', () => {
    expect(budget.targetFor(700_000, true)).toBe(800_000);
  });

  test('a smaller window, a trigger without cost and a target in tokens stay as they are', () => {
    for (const other of [
      { contextWindow: 399_999 },
      { trigger: { window: true } },
      { target: { tokens: 300_000 } },
    ]) {
      const { targetFor } = budgetOf({ ...large, ...other });
      expect(targetFor(20_000, true)).toBe(targetFor(20_000));
    }
  });

  /** A call of 2,000 tokens each time, in units of 100 tokens. */
  async function session(calls: number, cacheRead: number) {
    const manager = new ContextManager({
      counter: { ...wordCounter, count: (text) => 100 * wordCounter.count(text) },
      strategies: [dropOldest],
      config: { ...config, ...large, prices: { cacheRead, cacheWrite: 1.25 } },
    });
    const tokens: number[] = [];
    for (let call = 1; call <= calls; call += 1) {
      manager.append(user(words(18)));
      await manager.checkAndCompress({ beforeSend: true });
      manager.request();
      tokens.push(manager.stats().currentTokens);
      manager.append(assistant(words(2)));
    }
    return { tokens, manager };
  }

  test('it compresses once the calls that came have paid for it, later the cheaper the cache is read', async () => {
    const [dear, cheap] = [await session(200, 0.1), await session(200, 0.025)];
    expect(Math.max(...dear.tokens)).toBeLessThan(275_000);
    expect(Math.max(...cheap.tokens)).toBeGreaterThan(Math.max(...dear.tokens));
    expect(Math.max(...cheap.tokens)).toBeLessThan(400_000);
    const share = ({ manager }: typeof dear) => {
      const { withCompression, withoutCompression } = manager.stats().spent;
      return withCompression / withoutCompression;
    };
    expect(share(dear)).toBeLessThan(0.9);
    // The first compression has hardly been paid back yet.
    expect(share(cheap)).toBeLessThan(1.02);
  });

  test('a short session is left alone', async () => {
    const { manager } = await session(50, 0.1);
    expect(manager.stats().compressions).toBe(0);
  });
});

describe('what a session has cost', () => {
  test('is told in dollars if the price is known, otherwise in tokens', () => {
    const { manager } = asked();
    // 496 tokens were written into the cache.
    expect(manager.stats().spent).toEqual({
      requests: 1,
      withCompression: 496 * 1.25,
      withoutCompression: 496 * 1.25,
      unit: 'input tokens',
    });
    const priced = asked({ prices: { ...config.prices, perMillion: 4 } });
    expect(priced.manager.stats().spent.withCompression).toBeCloseTo((496 * 1.25 * 4) / 1_000_000, 12);
    expect(priced.manager.stats().spent.unit).toBe('dollars');
  });

  test('is the same with and without compression until there is one, whatever is said', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(30), { maxLength: 20 }), (sizes) => {
        const { manager, time } = asked();
        for (const size of sizes) {
          manager.append(user(words(size + 1)));
          if (size % 7 === 0) time.pass(minutes(size));
          manager.request();
        }
        const { withCompression, withoutCompression, requests } = manager.stats().spent;
        expect(withCompression).toBeCloseTo(withoutCompression, 6);
        expect(requests).toBe(sizes.length + 1);
      }),
    );
  });

  test('counts what is read, what is written again, and what would have been read without it', async () => {
    const { manager, check, time } = asked();
    time.pass(minutes(6));
    await check();
    manager.request();
    const after = manager.stats().countedTokens;
    // 500 tokens would have been written again, as the cache had expired.
    const { withCompression, withoutCompression } = manager.stats().spent;
    expect(withCompression).toBeCloseTo((496 + after) * 1.25, 6);
    expect(withoutCompression).toBeCloseTo((496 + 500) * 1.25, 6);
    manager.append(assistant(words(10)));
    manager.request();
    const { spent } = manager.stats();
    expect(spent.withCompression - withCompression).toBeCloseTo(after * 0.1 + 10 * 1.25, 6);
    expect(spent.withoutCompression - withoutCompression).toBeCloseTo(500 * 0.1 + 10 * 1.25, 6);
    expect(restored(manager, { config }).stats().spent).toEqual(spent);
  });

  test('is told at the price of the model that was asked', () => {
    const costs = (perMillion?: number) => ({
      config: { ...config, prices: { ...config.prices, perMillion } },
    });
    const { manager, given } = asked(costs(4).config, { model: 'one' });
    const { withCompression: first } = manager.stats().spent;
    const other = restored(manager, { ...given, ...costs(1), model: 'other' });
    expect(other.stats().spent).toEqual(manager.stats().spent);
    other.request();
    // Another model has none of its 500 tokens in its cache.
    expect(other.stats().spent.withCompression).toBeCloseTo(first + (500 * 1.25 * 1) / 1_000_000, 12);
    const free = restored(other, { ...given, ...costs(0), model: 'free' });
    expect(free.stats().spent).toEqual(other.stats().spent);
    free.append(assistant('done'));
    free.request();
    expect(free.stats().spent.withCompression).toBeCloseTo(other.stats().spent.withCompression, 12);
    const unknown = restored(other, { ...given, ...costs(), model: 'unknown' });
    unknown.request();
    unknown.append(assistant('done'));
    unknown.request();
    const { unit, withCompression } = unknown.stats().spent;
    expect(unit).toBe('input tokens');
    expect(withCompression).toBeCloseTo((496 + 500) * 1.25 + 500 * 0.1 + 1.25, 6);
  });
});

describe('prices', () => {
  test.each([
    ['cacheRead', -0.1],
    ['perMillion', Number.NaN],
    ['cacheMinutes', 0],
  ])('%s: %d is refused by name', (key, value) => {
    expect(() => new ContextManager({ config: { prices: { [key]: value } } })).toThrow(
      expect.objectContaining({ code: 'config-invalid', place: `prices.${key}` }),
    );
  });

  test('of 0 never compress for the cost, and cost nothing', async () => {
    const { manager, check, time } = asked({
      prices: { cacheRead: 0, cacheWrite: 0, perMillion: 0, cacheMinutes: 5 },
    });
    for (let request = 1; request <= 50; request += 1) {
      manager.append(user('again'));
      manager.request();
    }
    time.pass(minutes(60));
    expect((await check()).reason).toBe('below the trigger');
    expect(manager.stats().spent).toMatchObject({ withCompression: 0, withoutCompression: 0 });
  });

  test("of a host's own are told in tokens, unless it says what a token costs", () => {
    const preset = { prices: { cacheRead: 0.05, cacheWrite: 1, perMillion: 3, cacheMinutes: 30 } };
    const of = (own: Config) => settingsFor({ model: 'm' }, own, preset).prices;
    expect(of({})).toEqual(preset.prices);
    expect(of({ prices: { cacheRead: 0.3 } })).toEqual({ cacheRead: 0.3, cacheWrite: 1, cacheMinutes: 30 });
    expect(of({ prices: { cacheMinutes: 60 } })).toEqual({ ...preset.prices, cacheMinutes: 60 });
    expect(of({ prices: { cacheRead: 0.3, perMillion: 2 } }).perMillion).toBe(2);
  });
});
