import { decodedText, valuesIn } from '../base/json.js';
import type { Steps } from '../base/slices.js';
import { type Message, outputText, type Part, partsOf, type ToolOutput } from '../transcript/message.js';
import { estimateTokens } from './estimate.js';
import { textsByUse } from './text-cache.js';

/** Port: counts the tokens of a text. It must not throw on any string. */
export interface TokenCounter {
  count(text: string): number;
  /** The same in steps of about a millisecond. Leave it out if `count` never takes longer. */
  countInSteps?(text: string): Steps<number>;
  /**
   * Loads what `count` needs. Until then `loaded` is false and `count` estimates. Leave it out if nothing has to be
   * loaded.
   */
  load?(): Promise<void>;
  readonly loaded?: boolean;
}

export interface MessageTokens {
  readonly tokens: number;
  readonly toolCalls: number;
  /** True if a part is measured by its size, or the tokenizer was not loaded. */
  readonly estimated: boolean;
}

/** Tokens added to the text of each message and to the request as a whole. */
export interface TokenOverhead {
  readonly message: number;
  readonly conversation: number;
}

/**
 * Counts messages: role overhead, texts, tool names, arguments as decoded text, results; images and files by their
 * size. A message object is counted once. Counts of texts are remembered too, for hosts that rebuild their objects
 * every turn.
 */
export class MessageCounter {
  #messages = new WeakMap<Message, MessageTokens>();
  #texts = textsByUse((text) => this.#countText(text));
  #exact: boolean;
  #isLoaded = false;
  #counting = 0;
  #failed = false;
  /** How many are counting ahead. Until they are done, estimates stay. */
  #holders = 0;
  /** Counts with the loaded tokenizer while this one still estimates. */
  #ahead: MessageCounter | undefined;

  constructor(
    readonly counter: TokenCounter,
    readonly overhead: TokenOverhead = { message: 3, conversation: 3 },
  ) {
    this.#exact = counter.loaded ?? true;
  }

  /** False until the tokenizer is loaded, and if the counter ever failed. */
  get exact(): boolean {
    return this.#exact && !this.#failed;
  }

  /** True once the tokenizer is loaded, by whoever loads it, or if the counter needs none. */
  get loaded(): boolean {
    this.#forgetEstimates();
    return this.#exact;
  }

  /** Loads the tokenizer and forgets all estimates. Resolves to true if figures changed. */
  async load(): Promise<boolean> {
    const { counting } = this;
    if (this.#exact) return false;
    await this.counter.load?.();
    this.#isLoaded = true;
    return this.counting !== counting;
  }

  /** Changes whenever figures change because the tokenizer was loaded. Another manager may load a shared counter. */
  get counting(): number {
    this.#forgetEstimates();
    return this.#counting;
  }

  /** True as long as figures are estimates because the tokenizer was not loaded. */
  get isEstimating(): boolean {
    return !this.#exact;
  }

  /** Keeps the estimates, loaded or not, until the returned function is called; see `countAhead`. */
  hold(): () => void {
    this.#holders += 1;
    return () => {
      this.#holders -= 1;
    };
  }

  #forgetEstimates(): void {
    if (this.#exact || this.#holders > 0 || !(this.#isLoaded || this.counter.loaded === true)) return;
    const ahead = this.#ahead ?? new MessageCounter(this.counter, this.overhead);
    this.#ahead = undefined;
    this.#exact = true;
    this.#counting += 1;
    this.#messages = ahead.#messages;
    this.#texts = ahead.#texts;
    this.#failed ||= ahead.#failed;
  }

  text(text: string): number {
    this.#forgetEstimates();
    return this.#texts.count(text);
  }

  message(message: Message): MessageTokens {
    this.#forgetEstimates();
    const known = this.#messages.get(message);
    if (known !== undefined) return known;
    const measured = measuredOf(message);
    const tokens = measured.texts.reduce((sum, text) => sum + this.text(text), measured.tokens);
    return this.#remember(message, { ...measured, tokens });
  }

  #remember(message: Message, { tokens, toolCalls, estimated }: MessageTokens): MessageTokens {
    const counted = {
      tokens: tokens + this.overhead.message,
      toolCalls,
      estimated: estimated || !this.exact,
    };
    this.#messages.set(message, counted);
    return counted;
  }

  /** The same as `text` in steps, for a text that is long. */
  *textInSteps(text: string): Steps<number> {
    this.#forgetEstimates();
    return yield* this.#texts.countInSteps(text, (one) => this.#countInSteps(one));
  }

  /**
   * Counts a message or a text with the loaded tokenizer while the figures are still estimates. The count is used once the
   * estimates are forgotten.
   */
  *countAhead(counted: Message | string): Steps<void> {
    if (this.#exact) return;
    this.#ahead ??= new MessageCounter(this.counter, this.overhead);
    const ahead = this.#ahead;
    ahead.#exact = true;
    if (typeof counted === 'string') {
      yield* ahead.textInSteps(counted);
      return;
    }
    if (ahead.#messages.has(counted)) return;
    for (const text of measuredOf(counted).texts) yield* ahead.textInSteps(text);
    ahead.message(counted);
  }

  /** A counter that throws or returns no valid number must not break the total. */
  #countText(text: string): number {
    if (text === '') return 0;
    try {
      return this.#valid(this.counter.count(text), text);
    } catch {
      return this.#valid(Number.NaN, text);
    }
  }

  *#countInSteps(text: string): Steps<number> {
    if (this.counter.countInSteps === undefined || text === '') return this.#countText(text);
    try {
      return this.#valid(yield* this.counter.countInSteps(text), text);
    } catch {
      return this.#valid(Number.NaN, text);
    }
  }

  #valid(tokens: number, text: string): number {
    if (tokens >= 0 && tokens < Number.POSITIVE_INFINITY) return tokens;
    this.#failed = true;
    return estimateTokens(text);
  }
}

/** What a message is counted by: its texts, and the tokens of everything else. */
interface Measured extends MessageTokens {
  readonly texts: readonly string[];
}

function measuredOf(message: Message): Measured {
  const texts: string[] = [];
  let tokens = 0;
  let toolCalls = 0;
  let estimated = false;
  for (const part of partsOf(message)) {
    tokens += measurePart(part, texts);
    if (part.type === 'tool-call') toolCalls += 1;
    if (measuredBySize(part)) estimated = true;
  }
  return { texts, tokens, toolCalls, estimated };
}

/** Adds the texts of a part, and returns the tokens of what is not text. */
function measurePart(part: Part, texts: string[]): number {
  switch (part.type) {
    case 'text':
      texts.push(part.text);
      return 0;
    case 'reasoning':
      texts.push(part.text);
      return encryptedTokens(part.encrypted);
    case 'image':
      return imageTokens(part.image);
    case 'file':
      return fileTokens(part.data);
    case 'tool-call':
      texts.push(part.toolName, decodedText(part.input));
      return 0;
    case 'tool-result':
      texts.push(part.toolName);
      return measureOutput(part.output, texts);
    case 'opaque':
      return measureOpaque(part.value, texts);
    default:
      return part satisfies never;
  }
}

function measureOutput(output: ToolOutput, texts: string[]): number {
  texts.push(outputText(output));
  if (typeof output === 'string' || output.type !== 'content') return 0;
  const others = output.value.filter((part) => part.type !== 'text');
  return others.reduce((sum, part) => sum + measurePart(part, texts), 0);
}

function measureOpaque(value: unknown, texts: string[]): number {
  let tokens = 0;
  for (const { key, value: item } of valuesIn(value)) {
    if (key !== undefined) texts.push(key);
    if (typeof item === 'string') {
      if (isBase64(item)) tokens += imageTokens(item);
      else texts.push(item);
    } else if (typeof item !== 'object' || item === null) tokens += 1;
  }
  return tokens;
}

function measuredBySize(part: Part): boolean {
  if (part.type === 'image' || part.type === 'file' || part.type === 'opaque') return true;
  if (part.type === 'reasoning') return part.encrypted !== undefined;
  if (part.type !== 'tool-result' || typeof part.output === 'string' || part.output.type !== 'content')
    return false;
  return part.output.value.some((inner) => inner.type !== 'text');
}

function isBase64(text: string): boolean {
  return text.length > 1000 && /^(data:[^,]*,)?[\w+/-]+={0,2}$/.test(text);
}

/** Encryption keeps the length. Four base64 characters are three bytes, and four bytes of text are about one token. */
function encryptedTokens(base64 = ''): number {
  return Math.ceil((base64.length * 3) / 4 / 4);
}

/** Tokens of an image: the square root of the length of its base64 data; 300 if only a URL is known. */
function imageTokens(image: string): number {
  return isUrl(image) ? 300 : Math.ceil(Math.sqrt(image.length));
}

/** A document costs about one token per 50 bytes (a 75 kB PDF page about 1,500); 300 if only a URL is known. */
function fileTokens(data: string): number {
  return isUrl(data) ? 300 : Math.max(300, Math.ceil((data.length * 0.75) / 50));
}

function isUrl(data: string): boolean {
  return /^(https?|file|gs|s3):/i.test(data);
}

/** Where a figure comes from: the model's own tokenizer, what the provider reported, or an estimate. */
export type Quality = 'exact' | 'calibrated' | 'estimated';
