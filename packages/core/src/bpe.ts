import type { TokenCounter } from './count.js';
import { estimateTokens } from './estimate.js';

export type Encoding = 'o200k_base' | 'cl100k_base';

/** BPE merges take quadratic time within one run of letters, punctuation or white space; longer runs are cut here. */
const pieceLength = 512;
/** Of a run longer than this many characters, evenly spread pieces are counted and the rest extrapolated. */
const exactRunLength = 1_000_000;

/** Characters that BPE does not split a run of: letters, punctuation, white space. */
const kinds = [String.raw`[\p{L}\p{M}]`, String.raw`[^\s\p{L}\p{N}]`, String.raw`\s`];
const startOfRun = new RegExp(
  kinds.map((kind) => `((?<!${kind})${kind}{${pieceLength + 1}})`).join('|'),
  'gu',
);
/** Bounded, because one match over millions of characters overflows the stack of the regular expression. */
const restOfRun = kinds.map((kind) => new RegExp(`${kind}{1,65536}`, 'uy'));

/**
 * Counts with gpt-tokenizer's BPE, exactly but for runs of over 512 characters without a change of kind, which
 * are cut (error below 0.3 %, of white space 1 %), and over a million, which are sampled. Special tokens count as
 * plain text. Loading takes some 300 ms and 55 MB; before it, figures are estimates.
 * @param encoding default `o200k_base`
 */
export function bpeCounter(encoding: Encoding = 'o200k_base'): TokenCounter {
  let countTokens: ((text: string) => number) | undefined;
  let loading: Promise<void> | undefined;
  return {
    get loaded() {
      return countTokens !== undefined;
    },
    load() {
      loading ??= loadEncoding(encoding).then(
        (tokenizer) => {
          const plain = { disallowedSpecial: new Set<string>() };
          countTokens = (text) => tokenizer.countTokens(text, plain);
        },
        (error: unknown) => {
          loading = undefined;
          throw error;
        },
      );
      return loading;
    },
    count(text) {
      return countTokens === undefined ? estimateTokens(text) : countGuarded(text, countTokens);
    },
  };
}

function loadEncoding(encoding: Encoding) {
  switch (encoding) {
    case 'o200k_base':
      return import('gpt-tokenizer/encoding/o200k_base');
    case 'cl100k_base':
      return import('gpt-tokenizer/encoding/cl100k_base');
    default:
      return encoding satisfies never;
  }
}

function countGuarded(text: string, count: (text: string) => number): number {
  if (!hasLongRun(text)) return count(text);
  let total = 0;
  let position = 0;
  for (const [start, end] of longRuns(text)) {
    if (start > position) total += count(text.slice(position, start));
    total += countRun(text.slice(start, end), count);
    position = end;
  }
  return position < text.length ? total + count(text.slice(position)) : total;
}

/** Where runs of more than 512 characters of one kind start and end. */
function* longRuns(text: string): Generator<readonly [start: number, end: number]> {
  startOfRun.lastIndex = 0;
  for (let match = startOfRun.exec(text); match !== null; match = startOfRun.exec(text)) {
    const kind = match.slice(1).findIndex((group) => group !== undefined);
    const rest = restOfRun[kind] as RegExp;
    let end = match.index + match[0].length;
    for (rest.lastIndex = end; rest.test(text); ) end = rest.lastIndex;
    yield [match.index, end];
    startOfRun.lastIndex = end;
  }
}

/** A quick look for a run without white space, or of nothing else, before the kinds of characters are told apart. */
function hasLongRun(text: string): boolean {
  let run = 0;
  let inSpace = false;
  for (let at = 0; at < text.length && run <= pieceLength; at += 1) {
    const code = text.charCodeAt(at);
    const isSpace = code === 32 || (code >= 9 && code <= 13) || code === 160;
    run = isSpace === inSpace ? run + 1 : 1;
    inSpace = isSpace;
  }
  return run > pieceLength;
}

function countRun(run: string, count: (text: string) => number): number {
  const pieces = Math.ceil(run.length / pieceLength);
  const step = Math.max(1, run.length / exactRunLength);
  let tokens = 0;
  let characters = 0;
  for (let at = 0; at < pieces; at += step) {
    const start = wholeCharacter(run, Math.floor(at) * pieceLength);
    const end = wholeCharacter(run, (Math.floor(at) + 1) * pieceLength);
    tokens += count(run.slice(start, end));
    characters += end - start;
  }
  return step === 1 ? tokens : Math.round((tokens * run.length) / characters);
}

function wholeCharacter(text: string, position: number): number {
  const code = text.charCodeAt(position);
  return code >= 0xdc00 && code <= 0xdfff ? position - 1 : Math.min(position, text.length);
}
