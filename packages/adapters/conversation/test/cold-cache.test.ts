import { anthropicCodec } from '@ctx/codec-anthropic';
import type { Config, ContextManager } from '@ctx/core';
import { VirtualTime, words } from '@ctx/testing';
import { Conversations, memoryStateStore, type RequestOf, type StateStore } from '../src/index.js';

type Prices = NonNullable<Config['prices']>;

const minutes = (count: number) => count * 60_000;
const opus = { provider: 'anthropic', model: 'claude-opus-5-5', scope: 'ann' };

const user = (content: string) => ({ role: 'user' as const, content });
const assistant = (content: string) => ({ role: 'assistant' as const, content });

/** A history of some 20,000 tokens. */
function historyOf(turns: number, ttl?: '1h', last?: string) {
  const cache_control = { type: 'ephemeral', ...(ttl && { ttl }) } as const;
  return {
    system: [{ type: 'text' as const, text: 'Be brief.', cache_control }],
    messages: Array.from({ length: turns }, (_, turn) => [
      user(`Look at file ${turn}`),
      assistant(`Done with ${turn}: ${words(550, `word${turn}`)}`),
    ])
      .flat()
      .slice(0, -1)
      .concat(last === undefined ? [] : [assistant(last), user('And now?')]),
  };
}

function setUp(config: Config = {}, states?: StateStore) {
  const time = new VirtualTime();
  const managers: ContextManager[] = [];
  const of = new Conversations(anthropicCodec, {
    config: { contextWindow: 40_000, ...config },
    states,
    now: time.now,
    onManager: (manager) => managers.push(manager),
  });
  const send = async (turns: number, request: RequestOf = opus, ttl?: '1h', last?: string) => {
    const turn = await of.turn(historyOf(turns, ttl, last), request);
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

test('a longer life counts from the request on that asks for it, and no shorter one after it', async () => {
  const { time, send } = setUp();
  await send(15);
  await send(16, { ...opus, options: { anthropic: { cacheControl: { type: 'ephemeral', ttl: '1h' } } } });
  time.pass(minutes(30));
  expect(await send(17)).toBeUndefined();
  time.pass(minutes(61));
  expect(await send(18)).toBe('the cache had expired');
});

test.each<[string, Partial<Prices>, number]>([
  ['how long it lives', { cacheMinutes: 10 }, 10],
  ['what a token costs', { perMillion: 3 }, 60],
  ['what the cache costs', { cacheRead: 0.2, cacheWrite: 1.5 }, 60],
])('settings that say %s leave the rest to the request', async (_, prices, life) => {
  for (const config of [{ prices }, { rules: [{ model: 'claude*', prices }] }]) {
    const { time, send } = setUp(config);
    await send(15, opus, '1h');
    time.pass(minutes(life));
    expect(await send(16, opus, '1h')).toBeUndefined();
    time.pass(minutes(life) + 1);
    expect(await send(17, opus, '1h')).toBe('the cache had expired');
  }
});

test('breakpoints that move and tools that are loaded later change no tools', async () => {
  const { send } = setUp();
  const cache_control = { type: 'ephemeral' };
  const providerOptions = { anthropic: { cacheControl: cache_control } };
  const [read, write] = [{ name: 'read' }, { name: 'write', strict: true }];
  await send(15, { ...opus, tools: [read, { ...write, cache_control }] });
  for (const tools of [
    [{ ...read, cache_control }, write],
    [read, write, { name: 'later', defer_loading: true }],
    [read, write, { cachePoint: { type: 'default' } }],
  ])
    expect(await send(16, { ...opus, tools })).toBeUndefined();
  const ofSdk = setUp();
  await ofSdk.send(15, { ...opus, tools: [{ ...read, providerOptions }] });
  expect(
    await ofSdk.send(16, { ...opus, tools: [{ ...read, providerOptions: { anthropic: {} } }] }),
  ).toBeUndefined();
});

test('a restart from a store knows the tools again', async () => {
  const states = memoryStateStore();
  const large = words(6_000, 'large');
  for (const [tool, reason] of [
    ['read', undefined],
    ['write', 'the tools had changed, and with them the cache'],
  ]) {
    const { send } = setUp({}, states);
    const scope = `ann ${tool}`;
    let turns = 15;
    while ((await send(turns, { ...opus, scope, tools: [{ name: 'read' }] })) === undefined) turns += 1;
    const { send: again, managers } = setUp({}, states);
    await again(turns, { ...opus, scope, tools: [{ name: tool }] }, undefined, large);
    expect(managers[0]?.history.slice(1).map((one) => one.reason)).toEqual(
      reason === undefined ? [] : [reason],
    );
  }
});

test('a conversation that goes on with another model is compressed before that reads it', async () => {
  const { send } = setUp();
  await send(15);
  expect(await send(16, { ...opus, model: 'claude-sonnet-5-5' })).toContain('another model');
  expect(await send(16)).toBeUndefined();
});

const sonnet = { ...opus, model: 'claude-sonnet-5-5' };

test('a model that comes back finds its own cache as old as its own request, whoever answered in between', async () => {
  for (const [others, wait, reason] of [
    [[sonnet], 3, undefined],
    [[sonnet], 6, 'the cache had expired'],
    [[sonnet, { ...opus, model: 'claude-haiku-4-5' }, sonnet], 2, 'the cache had expired'],
  ] as const) {
    const { time, send, managers } = setUp();
    await send(15);
    for (const [nth, other] of others.entries()) {
      time.pass(minutes(wait));
      await send(16 + nth, other);
    }
    const again = 16 + others.length;
    expect(await send(again)).toBe(reason);
    time.pass(minutes(4));
    expect(await send(again + 1)).toBe(reason);
    // One for each model, and another for the one whose cache may have expired meanwhile.
    expect(managers).toHaveLength(new Set(others).size + (reason === undefined ? 1 : 2));
  }
});

test('answers that nobody is known for may have kept the cache warm', async () => {
  for (const other of [sonnet, { ...sonnet, scope: 'bob' }]) {
    const { time, send } = setUp();
    await send(15);
    // Another process answered the sixteenth.
    await send(17, other);
    time.pass(minutes(90));
    expect(await send(18)).toBeUndefined();
  }
});
