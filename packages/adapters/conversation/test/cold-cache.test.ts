import { anthropicCodec } from '@ctx/codec-anthropic';
import type { ContextManager } from '@ctx/core';
import { VirtualTime, words } from '@ctx/testing';
import { Conversations, type RequestOf } from '../src/index.js';

const minutes = (count: number) => count * 60_000;
const opus = { provider: 'anthropic', model: 'claude-opus-5-5', scope: 'ann' };

/** A history of some 20,000 tokens. */
function historyOf(turns: number, ttl?: '1h') {
  const cache_control = { type: 'ephemeral', ...(ttl && { ttl }) } as const;
  return {
    system: [{ type: 'text' as const, text: 'Be brief.', cache_control }],
    messages: Array.from({ length: turns }, (_, turn) => [
      { role: 'user' as const, content: `Look at file ${turn}` },
      { role: 'assistant' as const, content: `Done with ${turn}: ${words(550, `word${turn}`)}` },
    ])
      .flat()
      .slice(0, -1),
  };
}

function setUp(prices?: { cacheRead: number; cacheWrite: number }) {
  const time = new VirtualTime();
  const managers: ContextManager[] = [];
  const of = new Conversations(anthropicCodec, {
    config: { contextWindow: 40_000, ...(prices && { prices }) },
    now: time.now,
    onManager: (manager) => managers.push(manager),
  });
  const send = async (turns: number, request: RequestOf = opus, ttl?: '1h') => {
    const turn = await of.turn(historyOf(turns, ttl), request);
    await turn.prepare();
    await turn.answered(undefined);
    return turn.conversation.manager.history.at(-1)?.reason;
  };
  return { time, send, managers };
}

test('a cache that is asked for an hour is warm for an hour, and costs 2 to write', async () => {
  const { time, send, managers } = setUp();
  expect(await send(15, opus, '1h')).toBeUndefined();
  const { spent, currentTokens = 0 } = managers[0]?.stats() ?? {};
  expect(spent?.unit).toBe('dollars');
  expect(spent?.withCompression).toBeCloseTo((currentTokens * 2 * 4) / 1_000_000, 3);
  time.pass(minutes(60));
  expect(await send(16, opus, '1h')).toBeUndefined();
  time.pass(minutes(61));
  expect(await send(17, opus, '1h')).toBe('the cache had expired');
});

test('a conversation that goes on with another model is compressed before that reads it', async () => {
  const { send } = setUp();
  await send(15);
  expect(await send(16, { ...opus, model: 'claude-sonnet-5-5' })).toContain('another model');
  expect(await send(16)).toBeUndefined();
});

test('other tools make a rewrite free, the same tools do not', async () => {
  const { send } = setUp();
  const withTools = (...names: string[]) => ({ ...opus, tools: names.map((name) => ({ name })) });
  await send(15, withTools('read'));
  expect(await send(16, withTools('read'))).toBeUndefined();
  expect(await send(17, withTools('read', 'write'))).toContain('tools had changed');
});

test('a first request is nobody’s other model', async () => {
  const { send } = setUp();
  expect(await send(16, { ...opus, scope: 'bob', model: 'claude-sonnet-5-5' })).toBeUndefined();
});

test('prices of 0 lose nothing: what is free is never made smaller to save, and still kept in the window', async () => {
  const { send, managers } = setUp({ cacheRead: 0, cacheWrite: 0 });
  for (let turns = 1; turns <= 40; turns += 1) await send(turns);
  const manager = managers[0] as ContextManager;
  const { currentTokens, spent } = manager.stats();
  expect(currentTokens).toBeLessThan(40_000);
  expect(manager.history.length).toBeGreaterThan(0);
  for (const { reason } of manager.history) expect(reason).toContain('may not fit the window of 40000');
  expect(Object.values(spent).every((one) => typeof one !== 'number' || Number.isFinite(one))).toBe(true);
});
