import type { ArchivePassage } from '@ctx/core';
import { refText } from '../ref.js';
import type { Matches } from '../store.js';
import { inOrderOfWorth } from './choose.js';
import { byPlace, type Passage } from './passage.js';

interface Asked {
  readonly query: string;
  readonly conversation: string;
  readonly maxTokens: number;
  readonly isLeftOut: (passage: Passage) => boolean;
}

/** Takes the best passages that fit, and puts neighbours together. The results stay in the order of their worth. */
export function packed(
  found: Matches,
  { query, conversation, maxTokens, isLeftOut }: Asked,
  tokensOf: (text: string) => number,
): ArchivePassage[] {
  const groups: Passage[][] = [];
  let left = maxTokens;
  const groupOf = (passage: Passage) =>
    groups.find((group) => group.some((other) => areNeighbours(other, passage)));
  inOrderOfWorth(found, query, {
    get left() {
      return left;
    },
    take(passage) {
      if (isLeftOut(passage)) return false;
      const group = groupOf(passage);
      const cost = passage.tokens + (group === undefined ? headTokens(passage, tokensOf) : 0);
      if (cost > left) return false;
      left -= cost;
      if (group === undefined) groups.push([passage]);
      else group.push(passage);
      return true;
    },
  });
  return groups.map((group) => foundOf(group.sort(byPlace), conversation, tokensOf));
}

function areNeighbours(a: Passage, b: Passage): boolean {
  return a.message === b.message && a.part === b.part && Math.abs(a.passage - b.passage) === 1;
}

/** Tokens of the line above a result: its handle and its heading. */
function headTokens(
  { message, firstLine, lastLine, heading }: Passage,
  tokensOf: (text: string) => number,
): number {
  return tokensOf(`${refText({ message, lines: { first: firstLine, last: lastLine } })} ${heading}\n`);
}

/** Neighbouring passages as one result. */
function foundOf(
  passages: readonly Passage[],
  conversation: string,
  tokensOf: (text: string) => number,
): ArchivePassage {
  const first = passages[0] as Passage;
  const lastLine = (passages.at(-1) as Passage).lastLine;
  const { message, kind, heading, path, time } = first;
  return {
    ref: refText({ message, lines: { first: first.firstLine, last: lastLine } }),
    conversation,
    message,
    kind,
    heading,
    ...(path === undefined ? {} : { path }),
    text: passages.map(({ text }) => text).join(''),
    tokens: passages.reduce((sum, { tokens }) => sum + tokens, headTokens({ ...first, lastLine }, tokensOf)),
    time,
  };
}

/** Passages in the order of the conversation as results, as many from the first on as fit. */
export function asFound(
  passages: readonly Passage[],
  conversation: string,
  maxTokens: number,
  tokensOf: (text: string) => number,
): ArchivePassage[] {
  const groups: Passage[][] = [];
  let left = maxTokens;
  for (const passage of passages) {
    const group = groups.at(-1);
    const isNext = group?.[0]?.part === passage.part && group[0].message === passage.message;
    const cost = passage.tokens + (isNext ? 0 : headTokens(passage, tokensOf));
    if (cost > left) break;
    left -= cost;
    if (group !== undefined && isNext) group.push(passage);
    else groups.push([passage]);
  }
  return groups.map((group) => foundOf(group, conversation, tokensOf));
}
