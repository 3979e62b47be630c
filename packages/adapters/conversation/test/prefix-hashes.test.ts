import { finish, type Message } from '@ctx/core';
import fc from 'fast-check';
import { commonLength, prefixesInSteps } from '../src/prefix-hashes.js';

const said = (...texts: string[]): Message[] => texts.map((content) => ({ role: 'user', content }));
const hashesOf = (messages: readonly Message[]) => finish(prefixesInSteps(messages)).hashes;

test('histories have as many hashes in common as messages', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'ab'), { maxLength: 8 });
  fc.assert(
    fc.property(texts, texts, texts, (both, one, other) => {
      const [left, right] = [said(...both, ...one), said(...both, ...other)];
      const differs = left.findIndex(({ content }, at) => content !== right[at]?.content);
      const common = differs < 0 ? left.length : differs;
      expect(commonLength(hashesOf(left), hashesOf(right))).toBe(common);
    }),
  );
});

test.each<[string, Message]>([
  ['another text', { role: 'user', content: 'something else' }],
  ['another role', { role: 'assistant', content: 'one' }],
  ['a part more', { role: 'user', content: [...Array(2)].map(() => ({ type: 'text', text: 'one' })) }],
])('%s is another hash', (_, message) => {
  expect(hashesOf([message])).not.toEqual(hashesOf(said('one')));
});

test('system prompts have a number of their own, and no hash', () => {
  const prompted = (prompt: string) =>
    finish(prefixesInSteps([{ role: 'system', content: prompt }, ...said('one')]));
  const [first, second] = [prompted('It is nine.'), prompted('It is ten.')];
  expect(first.hashes).toEqual(second.hashes);
  expect(first.hashes).toHaveLength(1);
  expect(first.characters).toBe(second.characters);
  expect(first.system).not.toBe(second.system);
});
