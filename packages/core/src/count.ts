import { estimateTokens } from './estimate.js';
import { decodedText, valuesIn } from './json.js';
import type { Message, Part, ToolOutput } from './message.js';
import { outputText, partsOf } from './message.js';
import { textsByUse } from './text-cache.js';

/** Port: counts the tokens of a text. Must not throw on any string. */
export interface TokenCounter {
  count(text: string): number;
  /** Loads what `count` needs; until then `loaded` is false and `count` estimates. Absent: always loaded. */
  load?(): Promise<void>;
  readonly loaded?: boolean;
}

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
      loading ??= loadEncoding(encoding).then((tokenizer) => {
        const plain = { disallowedSpecial: new Set<string>() };
        countTokens = (text) => tokenizer.countTokens(text, plain);
      });
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

export interface MessageTokens {
  readonly tokens: number;
  readonly toolCalls: number;
  /** True where a part is measured by its size, or the tokenizer was not loaded. */
  readonly estimated: boolean;
}

/** Tokens added to the text of each message, and to a request as a whole. */
export interface TokenOverhead {
  readonly message: number;
  readonly conversation: number;
}

/**
 * Counts messages: role overhead, texts, tool names, arguments as decoded text, results; images and files by their
 * size. A message is counted once; texts are remembered too, for hosts that rebuild their objects each turn.
 */
export class MessageCounter {
  #messages = new WeakMap<Message, MessageTokens>();
  readonly #texts = textsByUse((text) => this.#countText(text));
  #exact: boolean;
  #failed = false;

  constructor(
    readonly counter: TokenCounter,
    readonly overhead: TokenOverhead = { message: 3, conversation: 3 },
  ) {
    this.#exact = counter.loaded ?? true;
  }

  /** False while the tokenizer is not loaded, and where the counter ever failed. */
  get exact(): boolean {
    return this.#exact && !this.#failed;
  }

  /** Loads the tokenizer and forgets what was estimated before. Resolves to true when figures changed. */
  async load(): Promise<boolean> {
    if (this.#exact) return false;
    await this.counter.load?.();
    if (this.#exact) return false;
    this.#exact = true;
    this.#messages = new WeakMap();
    this.#texts.clear();
    return true;
  }

  text(text: string): number {
    return this.#texts.count(text);
  }

  message(message: Message): MessageTokens {
    const known = this.#messages.get(message);
    if (known !== undefined) return known;
    const parts = partsOf(message);
    let tokens = this.overhead.message;
    let estimated = false;
    let toolCalls = 0;
    for (const part of parts) {
      tokens += this.#part(part);
      if (part.type === 'tool-call') toolCalls += 1;
      if (measuredBySize(part)) estimated = true;
    }
    const counted = { tokens, toolCalls, estimated: estimated || !this.exact };
    this.#messages.set(message, counted);
    return counted;
  }

  /** A counter that throws, or gives no number of tokens, must not break the total. */
  #countText(text: string): number {
    try {
      const tokens = this.counter.count(text);
      if (tokens >= 0 && tokens < Number.POSITIVE_INFINITY) return tokens;
    } catch {}
    this.#failed = true;
    return estimateTokens(text);
  }

  #part(part: Part): number {
    switch (part.type) {
      case 'text':
      case 'reasoning':
        return this.text(part.text);
      case 'image':
        return imageTokens(part.image);
      case 'file':
        return fileTokens(part.data);
      case 'tool-call':
        return this.text(part.toolName) + this.text(decodedText(part.input));
      case 'tool-result':
        return this.text(part.toolName) + this.#output(part.output);
      case 'opaque':
        return this.#opaque(part.value);
      default:
        return part satisfies never;
    }
  }

  #output(output: ToolOutput): number {
    const text = this.text(outputText(output));
    if (typeof output === 'string' || output.type !== 'content') return text;
    return output.value.reduce((sum, part) => (part.type === 'text' ? sum : sum + this.#part(part)), text);
  }

  #opaque(value: unknown): number {
    let tokens = 0;
    for (const { key, value: item } of valuesIn(value)) {
      if (key !== undefined) tokens += this.text(key);
      if (typeof item === 'string') tokens += isBase64(item) ? imageTokens(item) : this.text(item);
      else if (typeof item !== 'object' || item === null) tokens += 1;
    }
    return tokens;
  }
}

function measuredBySize(part: Part): boolean {
  if (part.type === 'image' || part.type === 'file' || part.type === 'opaque') return true;
  if (part.type !== 'tool-result' || typeof part.output === 'string' || part.output.type !== 'content')
    return false;
  return part.output.value.some((inner) => inner.type !== 'text');
}

function isBase64(text: string): boolean {
  return text.length > 1000 && /^(data:[^,]*,)?[\w+/-]+={0,2}$/.test(text);
}

/** Roo Code's rule for images: the square root of the length of the base64 data; 300 where only a URL is known. */
function imageTokens(image: string): number {
  return isUrl(image) ? 300 : Math.ceil(Math.sqrt(image.length));
}

/** A document costs about a token for each 50 bytes (a page of PDF of 75 kB some 1,500); 300 where only a URL is known. */
function fileTokens(data: string): number {
  return isUrl(data) ? 300 : Math.max(300, Math.ceil((data.length * 0.75) / 50));
}

function isUrl(data: string): boolean {
  return /^(https?|file|gs|s3):/i.test(data);
}
