import { finish, type Message, messageText } from '@ctx/core';
import {
  and,
  arbitraryTranscript,
  assistant,
  call,
  deepFreeze,
  planContextOf,
  result,
  system,
  transcript,
  user,
  words,
} from '@ctx/testing';
import fc from 'fast-check';
import { type Split, splitView } from '../src/split-view.js';

const options = { recent: 0.2, users: 0.5 };
const work = (from: number, count: number, size = 40) =>
  Array.from({ length: count }, (_, index) => {
    const id = `${from + index}`;
    return transcript(call(id, 'read', { path: `src/f${id}.ts` }), result(id, words(size)));
  }).flat();

async function splitOf(messages: readonly Message[], targetTokens: number): Promise<Split> {
  return finish(splitView(await planContextOf(messages, { targetTokens }), options));
}

const textsOf = (exchanges: Split['older']) =>
  exchanges.flatMap((exchange) => exchange.messages.map(({ message }) => messageText(message)));

describe('a view is split into', () => {
  test('the newest exchanges that fit into their share, and the older ones', async () => {
    const { newest, older, cut } = await splitOf(
      [system('You help.'), user('Build it.'), ...work(0, 10), assistant('done'), user('go')],
      300,
    );
    expect(textsOf(newest)).toContain('done');
    expect(textsOf(older)).toContain('Build it.');
    expect(newest.length + older.length).toBe(12);
    expect(cut).toEqual([]);
  });

  test('exchanges that stay but are cut, with the room that nothing else needs', async () => {
    const { older, cut } = await splitOf([user('go'), ...work(0, 1, 500)], 200);
    expect(older).toEqual([]);
    expect(cut).toHaveLength(1);
    expect(cut[0]?.roomTokens).toBeGreaterThan(190);
    expect(cut[0]?.roomTokens).toBeLessThanOrEqual(200);
  });

  test('exchanges that are cut, with no room that a separate user message needs', async () => {
    const rules = user(`# Rules\n${words(80)}`);
    const { apartTokens, cut } = await splitOf([rules, user('go'), ...work(0, 1, 500)], 200);
    expect(apartTokens).toBeGreaterThan(80);
    expect(cut[0]?.roomTokens).toBeLessThanOrEqual(200 - apartTokens);
  });

  test('an exchange that still waits for a result, which is cut like one that has them all', async () => {
    const calls = and(call('a', 'read'), call('b', 'read'));
    const messages = transcript(user('go'), calls, result('a', words(500)));
    const { older, cut } = await splitOf(messages, 200);
    expect(older).toEqual([]);
    expect(cut).toHaveLength(1);
    expect(cut[0]?.roomTokens).toBeLessThanOrEqual(200);
  });

  test('user messages with headings, which stay separate if there is room', async () => {
    const messages = [user('# Rules\nuse tabs'), ...work(0, 10), user('go')];
    const roomy = await splitOf(messages, 200);
    expect(textsOf(roomy.older)).not.toContain('# Rules\nuse tabs');
    expect(roomy.apartTokens).toBe(4);
    const narrow = await splitOf(messages, 6);
    expect(textsOf(narrow.older)).toContain('# Rules\nuse tabs');
    expect(narrow.apartTokens).toBe(0);
  });

  test('disjoint parts, the same each time, for any conversation', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryTranscript, fc.nat(1_000), async (messages, targetTokens) => {
        const context = await planContextOf(messages, { targetTokens });
        const { view, transcript: said } = context;
        const frozen = { ...context, view: deepFreeze(view), transcript: deepFreeze(said) };
        const split = finish(splitView(frozen, options));
        const stays = new Set([...split.newest, ...split.cut.flatMap(({ exchanges }) => exchanges)]);
        expect(split.older.some((exchange) => stays.has(exchange) || exchange.pinned)).toBe(false);
        for (const { exchanges, roomTokens } of split.cut) {
          expect(roomTokens).toBeGreaterThanOrEqual(0);
          expect(exchanges.reduce((sum, { tokens }) => sum + tokens, 0)).toBeGreaterThan(roomTokens);
        }
        expect(finish(splitView(frozen, options))).toEqual(split);
      }),
      { numRuns: 100 },
    );
  });
});
