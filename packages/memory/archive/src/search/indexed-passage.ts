import type { ArchiveEntry } from '@ctx/core';
import { digestOf } from '@ctx/core/kit';
import type { IndexedPart, IndexedPassage } from '../store.js';
import { longestPath } from './filter.js';
import { type Passage, piecesOf } from './passage.js';
import { type Terms, termsOf } from './terms.js';

/** A passage with the terms by which it is found: those of its text, and those of the heading that it stands under. */
export function indexed(passage: Passage): IndexedPassage {
  return { passage, terms: both(termsOf(passage.heading), termsOf(passage.text)) };
}

/** Characters. A heading stands with each passage; the rest of a longer one is in the text of its call. */
const longestHeading = 200;

/** Divides an entry into passages. */
export function indexedPart(entry: ArchiveEntry, tokensOf: (text: string) => number): IndexedPart {
  const { message, part, line, kind, text, time } = entry;
  const heading = entry.heading.slice(0, longestHeading);
  const path = (entry.path ?? '').length > longestPath ? undefined : entry.path;
  const about = { message, part, kind, heading, path, time };
  const headingTerms = termsOf(heading);
  const passages = piecesOf(text).map((piece, passage) => ({
    passage: {
      ...about,
      passage,
      firstLine: line + piece.firstLine,
      lastLine: line + piece.lastLine,
      text: piece.text,
      tokens: tokensOf(piece.text),
    },
    terms: both(headingTerms, termsOf(piece.text)),
  }));
  return {
    message,
    part,
    digest: digestOf(digestOf(0, `${kind}\n${heading}\n${path ?? ''}`), text),
    passages,
  };
}

function both(one: Terms, other: Terms): Terms {
  return { names: [...one.names, ...other.names], words: [...one.words, ...other.words] };
}
