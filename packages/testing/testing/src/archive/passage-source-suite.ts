import { CtxError, type PassageSource } from '@ctx/core';
import { hostileTexts } from './entries.js';

export interface PassageSourceSuite {
  readonly name: string;
  /**
   * Opens a source of a conversation in which somebody says each text, in order, from message 1 on, and nothing else is said. `find` must find
   * all but the last.
   */
  open(texts: readonly string[]): Promise<PassageSource>;
}

const animals = ['zebra', 'okapi', 'walrus', 'gecko', 'heron'];
const texts = [
  ...animals.map(
    (name, index) => `The ${name} lives in house ${index}.\nIts keeper is called keeper${index}.`,
  ),
  ...hostileTexts.filter((text) => text.trim() !== '' && !text.includes('\0')),
  'Which animal is the last one?',
];

/**
 * The conformance suite of a source of passages, which a model reads from. Its laws: a handle gives what was said, word for word; a search gives
 * passages that a handle gives as well, within its tokens, the best first; whatever is asked, the answer is passages or a typed error. Needs the
 * globals of jest.
 */
export function testPassageSource({ name, open }: PassageSourceSuite): void {
  describe(`${name} keeps the laws of a source of passages`, () => {
    const textOf = async (source: PassageSource, ref: string) =>
      (await source.read(ref)).map(({ text }) => text).join('');

    test('reads every message word for word, and its lines', async () => {
      const source = await open(texts);
      for (const [index, text] of texts.entries()) expect(await textOf(source, `#m${index + 1}`)).toBe(text);
      expect(await textOf(source, '#m3:2')).toBe('Its keeper is called keeper2.');
      const several = await source.read('#m1-#m3');
      expect([...new Set(several.map(({ message }) => message))]).toEqual([1, 2, 3]);
    });

    test('finds what was said, the best first, and under its handle stands the same', async () => {
      const source = await open(texts);
      for (const [index, animal] of animals.entries()) {
        const found = await source.find(`${animal} keeper`);
        expect(found[0]?.message).toBe(index + 1);
        for (const { ref, text } of found) expect(await textOf(source, ref)).toBe(text);
      }
      expect(await source.find('xylophone')).toEqual([]);
    });

    test('gives no more tokens than asked for', async () => {
      const source = await open(texts);
      for (const maxTokens of [1, 20, 60, 500]) {
        const found = await source.find('keeper house', { maxTokens });
        const read = await source.read('#m1-#m5', { maxTokens });
        for (const passages of [found, read])
          expect(passages.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(maxTokens);
      }
    });

    test('answers whatever is asked with passages or a typed error, and goes on', async () => {
      const source = await open(texts);
      const odd = ['', '#m0', '#m2-#m1', '#m1:9', '#m99999', `#m${'9'.repeat(400)}`, ...hostileTexts];
      for (const asked of odd) {
        const error = await source.read(asked).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        // One of the hostile texts is a handle.
        const isRight =
          asked === '#m1:1-2'
            ? error === undefined
            : CtxError.isInstance(error) && error.code.startsWith('archive-ref');
        expect([asked, isRight]).toEqual([asked, true]);
        expect(Array.isArray(await source.find(asked))).toBe(true);
      }
      await expect(source.find('zebra', { maxTokens: -1 })).rejects.toMatchObject({ code: 'config-invalid' });
      await expect(source.find(5 as never)).rejects.toMatchObject({ code: 'config-invalid' });
      expect(await textOf(source, '#m1')).toBe(texts[0]);
    });
  });
}
