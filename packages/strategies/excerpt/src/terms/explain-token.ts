import { classAt, spaceless } from './character-classes.js';
import { explainCompound } from './explain-compound.js';
import { explainWord } from './explain-word.js';
import type { TermTable } from './term-table.js';
import { noMeaning, type TokenMeaning } from './token-flags.js';

/** The meaning of a token by itself. Adds its terms to the table. */
export function explainToken(raw: string, terms: TermTable): TokenMeaning {
  if (classAt(raw, 0) === spaceless) return { ...noMeaning, ids: idsOfSpaceless(raw, terms) };
  return joinerChar.test(raw) ? explainCompound(raw, terms) : explainWord(raw, terms);
}

const joinerChar = /[-./@:,+~]/;

let wordSegmenter: Intl.Segmenter | undefined;

/** The words of a text in a script without spaces. Leaves out short words in Hiragana, which are grammar. */
function idsOfSpaceless(raw: string, terms: TermTable): number[] {
  wordSegmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  const ids: number[] = [];
  for (const { segment, isWordLike } of wordSegmenter.segment(raw))
    if (isWordLike && segment.length > (/^\p{sc=Hiragana}+$/u.test(segment) ? 2 : 1))
      ids.push(terms.idOf(segment, 'word'));
  return ids;
}
