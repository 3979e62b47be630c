import { type Exchange, finish, type Message, messageText } from '@ctx/core';
import {
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
import { type Split, segmentExchanges, splitView } from '../src/split-view.js';

const olderIn = (split: Split) => segmentExchanges(split);

const options = { recent: 0.2, users: 0.5 };
const work = (from: number, count: number, size = 40) =>
  Array.from({ length: count }, (_, index) => {
    const id = `${from + index}`;
    return transcript(call(id, 'read', { path: `src/f${id}.ts` }), result(id, words(size)));
  }).flat();

async function splitOf(messages: readonly Message[], targetTokens: number): Promise<Split> {
  return finish(splitView(await planContextOf(messages, { targetTokens }), options));
}

const textsOf = (exchanges: readonly Exchange[]) =>
  exchanges.flatMap((exchange) => exchange.messages.map(({ message }) => messageText(message)));

describe('a view is split into', () => {
  test('the newest exchanges that fit into their share, and the older ones', async () => {
    const split = await splitOf(
      [system('You help.'), user('Build it.'), ...work(0, 10), assistant('done'), user('What next?')],
      300,
    );
    expect(textsOf(split.newest)).toContain('done');
    expect(textsOf(olderIn(split))).toContain('Build it.');
    expect(split.newest.length + olderIn(split).length).toBe(12);
    expect(split.cut).toEqual([]);
  });

  test('what must stay as it is, although it is more than the target', async () => {
    const split = await splitOf([user('go'), ...work(0, 1, 500)], 200);
    expect(olderIn(split)).toEqual([]);
    expect(split.cut).toEqual([]);
  });

  test('what the model has not read and does not fit the window, with the room that the window leaves', async () => {
    const messages = [user('go'), ...work(0, 1, 500)];
    const context = await planContextOf(messages, {
      targetTokens: 100,
      contextWindow: 200,
      config: { reserve: 0 },
    });
    const { cut } = finish(splitView(context, options));
    expect(cut).toMatchObject([{ isUnread: true }]);
    expect(cut[0]?.roomTokens).toBeLessThanOrEqual(200);
    expect(cut[0]?.roomTokens).toBeGreaterThan(150);
  });

  test('no more recent exchanges than the window has room for, if the target is larger', async () => {
    const messages = [user('first'), ...work(0, 10), user('go'), ...work(10, 1, 900)];
    const split = async (targetTokens: number) =>
      finish(
        splitView(
          await planContextOf(messages, { targetTokens, contextWindow: 1_000, config: { reserve: 0 } }),
          options,
        ),
      );
    const [within, beyond] = [await split(1_000), await split(1_400)];
    expect(textsOf(beyond.newest)).toEqual(textsOf(within.newest));
  });

  test('segments of work, divided by the messages of the user that stay', async () => {
    const messages = [user('first'), ...work(0, 3), assistant('done'), user('second'), ...work(3, 6)];
    const { segments } = await splitOf(messages, 60);
    expect(segments.map(({ isWork }) => isWork)).toEqual([false, true]);
    expect(textsOf(segments[0]?.exchanges ?? [])).toContain('done');
  });

  test('disjoint parts, the same each time, for any conversation', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryTranscript, fc.nat(1_000), async (messages, targetTokens) => {
        const context = await planContextOf(messages, { targetTokens });
        const { view, transcript: said } = context;
        const frozen = { ...context, view: deepFreeze(view), transcript: deepFreeze(said) };
        const split = finish(splitView(frozen, options));
        const stays = new Set([...split.newest, ...split.cut.flatMap(({ exchanges }) => exchanges)]);
        expect(olderIn(split).some((exchange) => stays.has(exchange) || exchange.pinned)).toBe(false);
        for (const { exchanges, roomTokens } of split.cut) {
          expect(roomTokens).toBeGreaterThanOrEqual(0);
          expect(exchanges.reduce((sum, { tokens }) => sum + tokens, 0)).toBeGreaterThan(roomTokens);
        }
        expect(finish(splitView(frozen, options))).toEqual(split);
      }),
      { numRuns: 34 },
    );
  });
});
