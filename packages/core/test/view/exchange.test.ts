import { dropsInOrder, type Exchange, exchangesOf, type Message } from '@ctx/core';
import { and, assistant, call, planContextOf, result, transcript, user, words } from '@ctx/testing';

const exchangesIn = async (...messages: readonly Message[]) =>
  exchangesOf((await planContextOf(transcript(...messages), { targetTokens: 0 })).view);
const idsOf = (exchanges: readonly Exchange[]) =>
  exchanges.map(({ messages }) => messages.map(({ id }) => id).join(' '));

test('a call forms an exchange with all its results, any other message alone', async () => {
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

test('an exchange has the sum of the tokens and the highest priority, and is pinned if any message is', async () => {
  const exchanges = await exchangesIn(
    user('go'),
    call('a', 'read', {}, { priority: 'LOW' }),
    result('a', words(40), { priority: 'HIGH', pinned: true }),
    assistant('done'),
    user('now this'),
  );
  expect(exchanges[1]).toMatchObject({ tokens: 42, priority: 'HIGH', pinned: true });
  expect(exchanges.map(({ pinned }) => pinned)).toEqual([false, true, false, true]);
});

test('exchanges are dropped in the given order until the target is met, except pinned ones', async () => {
  const messages = transcript(
    user(words(10)),
    user(words(10), { pinned: true }),
    call('a', 'read'),
    result('a', words(9)),
    assistant(words(10)),
    user('now?'),
  );
  const dropped = async (targetTokens: number, minMessagesToKeep = 1) => {
    const context = await planContextOf(messages, { targetTokens, minMessagesToKeep });
    return dropsInOrder(exchangesOf(context.view), context, { reason: 'old' }).map((edit) => edit.messages);
  };
  expect(await dropped(32)).toEqual([['m1']]);
  expect(await dropped(31)).toEqual([['m1'], ['m3', 'm4']]);
  expect(await dropped(0)).toEqual([['m1'], ['m3', 'm4'], ['m5']]);
  expect(await dropped(0, 4)).toEqual([['m1'], ['m5']]);
  expect(await dropped(1_000)).toEqual([]);
});

test('an exchange without tokens is skipped, because dropping it would free nothing', async () => {
  const context = await planContextOf(transcript(user('one'), user('two'), user('now?')), {
    targetTokens: 0,
  });
  const [first, ...others] = exchangesOf(context.view);
  const ordered = [{ ...(first as Exchange), tokens: 0 }, ...others];
  expect(dropsInOrder(ordered, context, { reason: 'old', minMessagesToKeep: 2 })).toEqual([
    { type: 'drop', messages: ['m2'], reason: 'old' },
  ]);
});
