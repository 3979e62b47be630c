import { decodedText, valuesIn } from '../base/json.js';
import { type Message, outputText, type Part, partsOf, type ToolOutput } from '../transcript/message.js';
import { estimateTokens } from './estimate.js';
import { textsByUse } from './text-cache.js';

/** Port: counts the tokens of a text. It must not throw on any string. */
export interface TokenCounter {
  count(text: string): number;
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
  readonly #texts = textsByUse((text) => this.#countText(text));
  #exact: boolean;
  #isLoaded = false;
  #counting = 0;
  #failed = false;

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

  #forgetEstimates(): void {
    if (this.#exact || !(this.#isLoaded || this.counter.loaded === true)) return;
    this.#exact = true;
    this.#counting += 1;
    this.#messages = new WeakMap();
    this.#texts.clear();
  }

  text(text: string): number {
    this.#forgetEstimates();
    return this.#texts.count(text);
  }

  message(message: Message): MessageTokens {
    this.#forgetEstimates();
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

  /** A counter that throws or returns no valid number must not break the total. */
  #countText(text: string): number {
    if (text === '') return 0;
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
        return this.text(part.text);
      case 'reasoning':
        return this.text(part.text) + encryptedTokens(part.encrypted);
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
