import { codePoint } from '@ctx/testing';
import fc from 'fast-check';
import { CharacterStore } from '../src/terms/character-store.js';

const text = fc.oneof(fc.string(), fc.string({ unit: codePoint }));

test('a store holds every text as it was added, and finds it within another', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 60 }), text, (texts, before) => {
      const store = new CharacterStore();
      expect(texts.map((one) => store.add(one))).toEqual([...texts.keys()]);
      expect(store.size).toBe(texts.length);
      expect(texts.map((_, number) => store.textOf(number))).toEqual(texts);
      for (const [number, one] of texts.entries()) {
        expect(store.lengthOf(number)).toBe(one.length);
        const within = `${before}${one}${before}`;
        expect(store.isAt(number, within, before.length, before.length + one.length)).toBe(true);
        expect(store.isAt(number, `${one}x`, 0, one.length + 1)).toBe(false);
        if (one !== '')
          expect(store.isAt(number, `${one.slice(0, -1)}\u0001`, 0, one.length)).toBe(one.endsWith('\u0001'));
      }
    }),
  );
});

test('a store holds the terms of a long conversation', () => {
  const store = new CharacterStore();
  const texts = Array.from({ length: 30_000 }, (_, at) => (at % 3 === 0 ? `wörter-“${at}”` : `word-${at}`));
  for (const one of texts) store.add(one);
  expect(texts.filter((one, number) => store.textOf(number) !== one)).toEqual([]);
});
