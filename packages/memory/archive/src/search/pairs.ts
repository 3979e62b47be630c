import { stemOf } from './terms.js';

/** A word, a piece of a name such as `parseConfig`, or the end of a line. */
const wordOrBreak = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}\p{N}]+|\n/gu;

/** Returns a function that lists the pairs of words that stand side by side in a line of the query and of a text. It takes linear time. */
export function commonPairs(query: string): (text: string) => string[] {
  // By the words as they were read: texts that are found by one query have many in common.
  const ofQuery = new Map<string, string>();
  const asked = pairsIn(query, ofQuery, (stem) => stem);
  const known = new Set(ofQuery.values());
  const ofTexts = new Map<string, string>();
  const asStem = (stem: string) => (known.has(stem) ? stem : '');
  return (text) =>
    asked.size === 0 ? [] : [...pairsIn(text, ofTexts, asStem)].filter((pair) => asked.has(pair));
}

function pairsIn(text: string, stems: Map<string, string>, asStem: (stem: string) => string): Set<string> {
  const pairs = new Set<string>();
  let before = '';
  for (const word of text.match(wordOrBreak) ?? []) {
    // A single letter says nothing, and does not part its neighbours.
    if (word.length === 1 && word !== '\n') continue;
    let stem = word === '\n' ? '' : stems.get(word);
    if (stem === undefined) {
      stem = asStem(stemOf(word.toLowerCase()));
      stems.set(word, stem);
    }
    if (before !== '' && stem !== '') pairs.add(`${before} ${stem}`);
    before = stem;
  }
  return pairs;
}
