import { managerOf, user, words } from '@ctx/testing';
import { dropOldest } from '../drop-oldest.js';
import { talk } from '../talk.js';

const overflow = Object.assign(new Error("This model's maximum context length is 100 tokens."), {
  status: 400,
});
const filled = (count: number, config = {}) =>
  managerOf(talk(count), {
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
    const unchanged = { status: 'unchanged', reason: 'already at the target' };
    expect(await manager.compress({ targetTokens: 300 })).toEqual(unchanged);
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
