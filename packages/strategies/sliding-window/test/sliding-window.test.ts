import { assistant, call, managerOf, result, testStrategy, transcript, user, words } from '@ctx/testing';
import { slidingWindow } from '../src/sliding-window.js';

testStrategy('sliding-window', () => slidingWindow());

const talk = (count: number) =>
  Array.from({ length: count }, (_, index) => assistant(words(10, `m${index}`)));

async function left(messages: Parameters<typeof managerOf>[0], targetTokens: number, options = {}) {
  const manager = managerOf(messages);
  await manager.compress({ strategy: slidingWindow(options), targetTokens });
  return manager.view();
}

test('the newest twenty messages and the user’s first message stay', async () => {
  const messages = [user('task'), ...talk(40)];
  expect(await left(messages, 205)).toEqual([messages[0], ...messages.slice(-20)]);
});

test('three stay if twenty are too many, and one if three are too many', async () => {
  const messages = [user('task'), ...talk(40)];
  expect(await left(messages, 100)).toEqual([messages[0], ...messages.slice(-3)]);
  expect(await left(messages, 15)).toEqual([messages[0], ...messages.slice(-1)]);
});

test('fewer than twenty messages are reduced too, because tokens decide', async () => {
  const messages = [user('task'), ...talk(10)];
  expect(await left(messages, 40)).toHaveLength(4);
});

test('a call stays with its result, even if only the result is in the window', async () => {
  const reading = [call('1', 'read', {}), result('1', words(5))];
  const messages = transcript(user('task'), ...talk(30), ...reading, user('go on'));
  expect(await left(messages, 5, { sizes: [2] })).toEqual([messages[0], ...messages.slice(-3)]);
});

test('the first message leaves if asked to', async () => {
  const messages = [user('task'), ...talk(40), user('now')];
  expect(await left(messages, 100, { sizes: [3], keepFirst: false })).toEqual(messages.slice(-3));
});
