import { type ChatMessage, openaiCodec } from '@ctx/codec-openai';
import { Conversations, memoryStateStore, Warnings } from '../src/index.js';
import { LearnedWindows } from '../src/learned-windows.js';
import type { Asked, Live } from '../src/live-conversation.js';
import { LiveIndex } from '../src/live-index.js';
import { RecentMap } from '../src/recent-map.js';

const said = (name: string, turns: number): ChatMessage[] => [
  ...Array.from({ length: turns }, (_, turn): ChatMessage[] => [
    { role: 'user', content: `${name} asks for step ${turn}` },
    { role: 'assistant', content: `${name} has done step ${turn}` },
  ]).flat(),
  { role: 'user', content: 'And now?' },
];

test('of conversations that come and go, those used last are kept, and nothing else', async () => {
  const of = new Conversations(openaiCodec, { maxConversations: 20, config: { contextWindow: 50_000 } });
  for (let identity = 0; identity < 600; identity += 1)
    for (const turns of [1, 3, 2]) {
      const turn = await of.turn(said('ann', turns), {
        scope: `key ${identity}`,
        provider: 'openai',
        model: 'gpt-5',
      });
      await turn.prepare();
      await turn.answered({ usage: { prompt_tokens: 20 } });
      expect(of.size).toBeLessThanOrEqual(20);
    }
  expect(of.size).toBe(20);
});

test('what leaves memory is no longer found by any of its beginnings', () => {
  const index = new LiveIndex<unknown>();
  const live = (scope: string, hashes: readonly number[]) =>
    ({ scope, hashes, isFreeFor: () => true }) as unknown as Live<unknown>;
  for (let at = 0; at < 3_000; at += 1) {
    // Every second one departs from another one of the same sender.
    const scope = `scope ${Math.floor(at / 2)}`;
    index.remember(
      live(
        scope,
        Array.from({ length: 50 }, (_, place) => (place < 20 ? place : place + at)),
      ),
      10,
    );
  }
  expect(index.size).toBe(10);
  expect(index.beginnings).toBeLessThanOrEqual(10 * 50);
  expect(index.bestFor({ scope: 'scope 3', hashes: [0, 1, 2] } as unknown as Asked<unknown>)).toBeUndefined();
});

test('windows are remembered of the servers used last', async () => {
  const states = memoryStateStore();
  let reads = 0;
  const get = (key: string) => {
    reads += 1;
    return states.get(key);
  };
  const windows = new LearnedWindows({ ...states, get }, () => {});
  const request = (server: number) => ({ provider: 'openai', model: 'gpt-5', server: `${server}` });
  await windows.learn(request(0), 5_000);
  for (let server = 1; server <= 1_500; server += 1) await windows.of(request(server));
  reads = 0;
  expect(await windows.of(request(1_500))).toBeUndefined();
  expect(reads).toBe(0);
  expect(await windows.of(request(0))).toBe(5_000);
  expect(reads).toBe(1);
});

test('a map of what was used last forgets the rest', () => {
  const map = new RecentMap<number, string>(3);
  for (const key of [1, 2, 3]) map.set(key, `${key}`);
  expect(map.get(1)).toBe('1');
  map.set(4, '4');
  expect([1, 2, 3, 4].map((key) => map.get(key))).toEqual(['1', undefined, '3', '4']);
  expect(map.size).toBe(3);
});

test('warnings come to an end', () => {
  const told: string[] = [];
  const warnings = new Warnings(({ code }) => told.push(code));
  for (let path = 0; path < 2_000; path += 1)
    warnings.once('endpoint-unknown', 'A path is not known', `/${path}`);
  expect(told).toHaveLength(500);
});
