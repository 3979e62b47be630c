import { ContextManager, type Message, MessageCounter } from '@ctx/core';
import { and, assistant, call, deepFreeze, result, user, wordCounter, words } from '@ctx/testing';

describe('a message is counted with', () => {
  const counter = new MessageCounter(wordCounter, { message: 3, conversation: 3 });
  const tokensOf = (message: Message) => counter.message(deepFreeze(message)).tokens;
  const base64 = (length: number) => 'A'.repeat(length);
  const image = (length: number) => ({ type: 'image' as const, image: base64(length) });
  const mediaType = 'application/pdf';
  const file = (length: number) => ({ type: 'file' as const, data: base64(length), mediaType });
  const unknown = (value: unknown) => ({ type: 'opaque' as const, value });
  const encrypted = { type: 'reasoning' as const, text: '', encrypted: base64(1_600) };

  test.each<[string, Message, number]>([
    ['its overhead and its text', user('one two three'), 3 + 3],
    ['its reasoning', assistant([{ type: 'reasoning', text: 'so it is' }]), 3 + 3],
    ['the estimated length of encrypted reasoning', assistant([encrypted]), 3 + 300],
    ['the names and inputs of its calls', call('a', 'read', { path: 'the file' }), 3 + 1 + 3],
    ['the names and outputs of its results', result('a', words(7)), 3 + 1 + 7],
    ['a result in JSON', result('a', { type: 'json', value: { a: 'b c' } }), 3 + 1 + 2],
    ['an image by the root of its size', user([image(10_000)]), 3 + 100],
    ['an image of unknown size as 300', user([{ type: 'image', image: 'https://x/y.png' }]), 3 + 300],
    ['a file by its bytes', user([file(100_000)]), 3 + 1_500],
    ['a small file as 300', user([file(100)]), 3 + 300],
    ['the content of an unknown part', user([unknown({ key: ['a b', 7] })]), 3 + 1 + 3],
    [
      'data in an unknown part by the root of its size',
      user([unknown({ source: base64(4_900) })]),
      3 + 1 + 70,
    ],
    ['the images of its results', result('a', { type: 'content', value: [image(400)] }), 3 + 1 + 20],
  ])('%s', (_title, message, tokens) => {
    expect(tokensOf(message)).toBe(tokens);
  });

  test('says which figures come from sizes', () => {
    expect(counter.message(user('text')).estimated).toBe(false);
    expect(counter.message(user([{ type: 'image', image: 'https://x/y' }])).estimated).toBe(true);
    const shown = result('a', { type: 'content', value: [{ type: 'text', text: 'only text' }] });
    expect(counter.message(shown).estimated).toBe(false);
  });

  test('its calls numbered', () => {
    expect(counter.message(and(call('a', 'read'), call('b', 'run'))).toolCalls).toBe(2);
  });
});

test.each<[string, () => number]>([
  [
    'throws',
    () => {
      throw new Error('no');
    },
  ],
  ['gives NaN', () => Number.NaN],
  ['gives a negative number', () => -5],
])('if a counter %s, the figure is marked as an estimate', (_title, count) => {
  const manager = new ContextManager({
    counter: { count },
    config: { overhead: { message: 0, conversation: 0 } },
  });
  manager.append(user('x'.repeat(400)));
  expect(manager.stats()).toMatchObject({ currentTokens: 100, messages: 1, quality: 'estimated' });
  expect(manager.view()).toHaveLength(1);
});

test('a text is counted once, until the texts together have 8 million characters', () => {
  const asked: number[] = [];
  const count = (text: string) => asked.push(text.length);
  const counter = new MessageCounter({ count });
  for (const length of [40, 40, 5_000_000, 40, 5_000_000, 3_100_000, 40])
    counter.message(user('x'.repeat(length)));
  expect(asked).toEqual([40, 5_000_000, 3_100_000, 40]);
});
