import { finish, type Message } from '@ctx/core';
import { prefixesInSteps, prefixHashes } from '../src/prefix-hashes.js';

const said = (count: number): Message[] => [
  { role: 'system', content: 'Be brief.' },
  ...Array.from(
    { length: count },
    (_, at): Message => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: at % 3 === 0 ? `message ${at}` : [{ type: 'text', text: `part ${at}` }],
    }),
  ),
];

test('what is taken from a known history is what is computed', () => {
  const messages = said(20);
  const alone = prefixHashes(messages);
  expect(new Set(alone).size).toBe(20);
  for (const length of [1, 7, 20, 25]) {
    const before = said(length);
    const known = { said: before.filter(({ role }) => role !== 'system'), hashes: prefixHashes(before) };
    expect(prefixHashes(structuredClone(messages), () => known)).toEqual(alone);
  }
});

test('the messages that both histories begin with are those of the known one', () => {
  const before = said(9).filter(({ role }) => role !== 'system');
  const known = { said: before, hashes: prefixHashes(before) };
  const messages = structuredClone(said(20));
  messages[6] = { role: 'assistant', content: 'something else' };
  const { same } = finish(prefixesInSteps(messages, () => known));
  expect(same).toHaveLength(5);
  expect(same.every((message, at) => message === before[at])).toBe(true);
});

test('equal hashes of different messages are no agreement', () => {
  const messages = said(4);
  const known = { said: said(4).slice(1).reverse(), hashes: prefixHashes(messages) };
  expect(finish(prefixesInSteps(messages, () => known))).toEqual({ hashes: known.hashes, same: [] });
});

test.each<[string, Message | undefined]>([
  ['another text', { role: 'user', content: 'something else' }],
  ['another role', { role: 'assistant', content: [{ type: 'text', text: 'part 2' }] }],
  [
    'a part more',
    {
      role: 'user',
      content: [
        { type: 'text', text: 'part 2' },
        { type: 'text', text: '' },
      ],
    },
  ],
  ['a message less', undefined],
  ['another order of keys', { role: 'user', content: [{ text: 'part 2', type: 'text' }] }],
])('%s in between is noticed', (_, instead) => {
  const before = said(20);
  const known = { said: before.filter(({ role }) => role !== 'system'), hashes: prefixHashes(before) };
  const messages = said(20);
  messages.splice(3, 1, ...(instead === undefined ? [] : [instead]));
  expect(prefixHashes(messages, () => known)).toEqual(prefixHashes(messages));
  expect(prefixHashes(messages)).not.toEqual(known.hashes);
});

test('nothing said has no hash', () => {
  expect(prefixHashes([{ role: 'system', content: 'Be brief.' }])).toEqual([]);
});
