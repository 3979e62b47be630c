import type { Archive } from '@ctx/core';
import { memoryArchive } from '../../src/index.js';
import { chosenTerms } from '../../src/search/ranking.js';
import { entry } from '../entries.js';

const word = (text: string) => ({ text, stream: 'words' as const });

test('the rarest terms are read, until so many postings are read', () => {
  const terms = ['common', 'rare', 'unknown', 'middling'].map(word);
  const chosen = chosenTerms(terms, [90_000, 3, 0, 9_000], 100_000);
  expect(chosen.map(({ term }) => term.text)).toEqual(['rare', 'middling']);
  expect(chosen[0]?.idf).toBeGreaterThan(chosen[1]?.idf ?? 0);
});

test('a term that all passages have is read when there is no other, and says little', () => {
  const [only] = chosenTerms([word('common')], [120], 100);
  expect(only?.idf).toBeGreaterThan(0);
  expect(only?.idf).toBeLessThan(0.1);
});

const found = async (archive: Archive, query: string, maxTokens: number) =>
  (await archive.search(query, { conversation: 'one', maxTokens })).map(({ message }) => message);

test('what says the same as another result comes after what says something else', async () => {
  const archive = memoryArchive();
  await archive.put([
    entry(1, 'the walrus sleeps on the ice'),
    entry(2, 'the walrus sleeps on the ice'),
    entry(3, 'a penguin lives in the other hemisphere'),
    ...Array.from({ length: 20 }, (_, index) => entry(10 + index, `filler about nothing ${index}`)),
  ]);
  expect(await found(archive, 'walrus ice penguin', 1_000)).toEqual([2, 3, 1]);
});

test('a short query that stands word for word in a text comes first', async () => {
  const archive = memoryArchive();
  await archive.put([
    entry(1, 'read the transcript failed failed, to to read'),
    entry(
      2,
      'it says: failed to read the transcript. And some more words that make this text longer than the other.',
    ),
  ]);
  expect((await found(archive, 'failed to read', 1_000))[0]).toBe(2);
});
