import { type Exchange, exchangesOf, type Message, type ViewMessage } from '@ctx/core';
import {
  and,
  arbitraryTranscript,
  assistant,
  call,
  planContextOf,
  result,
  transcript,
  user,
  words,
} from '@ctx/testing';
import fc from 'fast-check';

const exchangesIn = async (...messages: readonly Message[]) =>
  exchangesOf((await planContextOf(transcript(...messages), { targetTokens: 0 })).view);
const idsOf = (exchanges: readonly Exchange[]) =>
  exchanges.map(({ messages }) => messages.map(({ id }) => id).join(' '));

test('a call stands with all its results, any other message alone', async () => {
  const exchanges = await exchangesIn(
    user('go'),
    and(call('a', 'read'), call('b', 'run')),
    result('a', '1'),
    result('b', '2'),
    assistant('done'),
  );
  expect(idsOf(exchanges)).toEqual(['m1', 'm2 m3 m4', 'm5']);
  expect(exchanges.map(({ first, last }) => [first, last])).toEqual([
    [0, 0],
    [1, 3],
    [4, 4],
  ]);
});

test('it has the sum of the tokens, the highest priority, and stays where one of its messages stays', async () => {
  const exchanges = await exchangesIn(
    user('go'),
    call('a', 'read', {}, { priority: 'LOW' }),
    result('a', words(40), { priority: 'HIGH', pinned: true }),
    user('more'),
  );
  expect(exchanges[1]).toMatchObject({ tokens: 42, priority: 'HIGH', pinned: true });
  expect(exchanges[0]).toMatchObject({ pinned: false });
});

test('whatever the conversation, every message is in exactly one exchange, in order', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryTranscript, async (messages) => {
      const { view } = await planContextOf(messages, { targetTokens: 0 });
      const exchanges = exchangesOf(view);
      const flat: ViewMessage[] = exchanges.flatMap((exchange) => exchange.messages);
      expect(flat).toEqual(view);
      for (const { messages: inside, tokens, first, last } of exchanges) {
        expect(inside.length).toBe(last - first + 1);
        expect(tokens).toBe(inside.reduce((sum, message) => sum + message.tokens, 0));
      }
    }),
    { numRuns: 40 },
  );
});
