import type { Message } from '@ctx/core';
import { prefixHashes } from '../src/prefix-hashes.js';

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
