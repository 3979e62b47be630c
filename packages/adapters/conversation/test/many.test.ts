import { openaiCodec } from '@ctx/codec-openai';
import type { Asked } from '../src/asked-request.js';
import { Conversations, Warnings } from '../src/index.js';
import type { Live } from '../src/live-conversation.js';
import { LiveIndex } from '../src/live-index.js';
import { RecentMap } from '../src/recent-map.js';
import { assistant, user } from './chat.js';

const request = { provider: 'openai', model: 'gpt-5' };
const said = (name: string, turns: number) => [
  ...Array.from({ length: turns }, (_, turn) => [
    user(`${name} asks for step ${turn}`),
    assistant(`${name} has done step ${turn}`),
  ]).flat(),
  user('And now?'),
];

test('of conversations that come and go, those used last are kept, and nothing else', async () => {
  const of = new Conversations(openaiCodec, { maxConversations: 20, config: { contextWindow: 50_000 } });
  for (let identity = 0; identity < 150; identity += 1)
    for (const turns of [1, 3, 2]) {
      const turn = await of.turn(said('ann', turns), { ...request, scope: `key ${identity}` });
      await turn.prepare();
      await turn.answered({ inputTokens: 20 });
      expect(of.size).toBeLessThanOrEqual(20);
    }
  expect(of.size).toBe(20);
});

test('long conversations leave memory sooner, the one used longest ago first', async () => {
  const of = new Conversations(openaiCodec, { maxCharacters: 10_200, config: { contextWindow: 50_000 } });
  const asked = async (scope: string, characters: number) => {
    const turn = await of.turn([user('x'.repeat(characters))], { ...request, scope });
    await turn.prepare();
    return of.size;
  };
  for (const at of [1, 2, 3, 4]) expect(await asked(`short ${at}`, 1_000)).toBe(at);
  // What they say counts, not how often they ask.
  expect(await asked('short 1', 1_000)).toBe(4);
  expect(await asked('half', 6_000)).toBe(5);
  expect(await asked('longer', 4_000)).toBe(2);
  // The one that asks stays, however long it is.
  expect(await asked('longest', 30_000)).toBe(1);
  expect(await asked('short 2', 1_000)).toBe(1);
});

test('a conversation that grows makes others leave', async () => {
  const of = new Conversations(openaiCodec, { maxCharacters: 3_000, config: { contextWindow: 50_000 } });
  await of.turn(said('ann', 3), request);
  for (let turns = 1; turns < 100; turns += 10) await of.turn(said('bob', turns), request);
  expect(of.size).toBe(1);
});

test.each([
  ['maxConversations', 0],
  ['maxConversations', 1.5],
  ['maxConversations', Number.NaN],
  ['maxCharacters', '1000000'],
  ['maxCharacters', -1],
])('%s: %p is refused', (place, value) => {
  const make = () => new Conversations(openaiCodec, { [place]: value });
  expect(make).toThrow(expect.objectContaining({ code: 'config-invalid', place, value }));
});

test('a map of what was used last forgets the rest', () => {
  const map = new RecentMap<number, string>(3);
  for (const key of [1, 2, 3]) map.set(key, `${key}`);
  expect(map.get(1)).toBe('1');
  map.set(4, '4');
  expect([1, 2, 3, 4].map((key) => map.get(key))).toEqual(['1', undefined, '3', '4']);
});

test('warnings come to an end', () => {
  const told: string[] = [];
  const warnings = new Warnings(({ code }) => told.push(code));
  for (let path = 0; path < 2_000; path += 1)
    warnings.once('endpoint-unknown', 'A path is not known', `/${path}`);
  expect(told).toHaveLength(500);
});

test('what two conversations begin with leads to the one that was used last', () => {
  const index = new LiveIndex<unknown>(10, 1_000);
  const begun = { scope: '', hashes: [1, 2] } as unknown as Asked<unknown>;
  const [one, other] = [3, 4].map(
    (last) =>
      ({ ...begun, hashes: [1, 2, last], characters: 1, isFreeFor: () => true }) as unknown as Live<unknown>,
  ) as [Live<unknown>, Live<unknown>];
  for (const used of [one, other, one]) {
    index.remember(used);
    expect(index.bestFor(begun)).toBe(used);
  }
});
