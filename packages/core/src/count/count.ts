import type { Steps } from '../base/slices.js';
import { type Message, partsOf } from '../transcript/message.js';
import { estimateTokens } from './estimate.js';
import { type ImageCost, usualImageCost } from './image-cost.js';
import { type Measured, type MessageTokens, measuredOf } from './measurement.js';

/** Port: counts the tokens of a text. It must not throw on any string. */
export interface TokenCounter {
  count(text: string): number;
  /** The same in steps of about a millisecond. Leave it out if `count` never takes longer. */
  countInSteps?(text: string): Steps<number>;
  /** Loads what `count` needs. Until then `loaded` is false and `count` estimates. Leave it out if nothing has to be loaded. */
  load?(): Promise<void>;
  readonly loaded?: boolean;
}

/** Tokens added to the text of each message and to the request as a whole. */
export interface TokenOverhead {
  readonly message: number;
  readonly conversation: number;
}

/** A message with no more text than this is counted in one step, in UTF-16 units. */
const stepLength = 4_096;
/** Of the texts whose counts are remembered: about two million tokens, and at most 16 MB. Then all are forgotten. A limit. */
const mostCharacters = 8_000_000;
/** Bounds the map itself if the texts are short. */
const mostTexts = 40_000;

/**
 * Counts messages: role overhead, texts, tool names, arguments as decoded text, results; images by their pixels and files
 * by their size. A message object is counted once. Counts of texts are remembered too, for hosts that rebuild their objects
 * every turn.
 */
export class MessageCounter {
  #messages = new WeakMap<Message, MessageTokens>();
  #texts = new Map<string, number>();
  #characters = 0;
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
    readonly images: ImageCost = usualImageCost,
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

  /** Loads the tokenizer and forgets all estimates. */
  async load(): Promise<void> {
    if (this.#exact) return;
    await this.counter.load?.();
    this.#isLoaded = true;
    this.#forgetEstimates();
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
    const ahead = this.#ahead ?? new MessageCounter(this.counter, this.overhead, this.images);
    this.#ahead = undefined;
    this.#exact = true;
    this.#counting += 1;
    this.#messages = ahead.#messages;
    this.#texts = ahead.#texts;
    this.#characters = ahead.#characters;
    this.#failed ||= ahead.#failed;
  }

  text(text: string): number {
    this.#forgetEstimates();
    return this.#texts.get(text) ?? this.#rememberText(text, this.#countText(text));
  }

  #rememberText(text: string, tokens: number): number {
    if (this.#texts.size >= mostTexts || this.#characters + text.length > mostCharacters) {
      this.#texts.clear();
      this.#characters = 0;
    }
    this.#texts.set(text, tokens);
    this.#characters += text.length;
    return tokens;
  }

  message(message: Message): MessageTokens {
    this.#forgetEstimates();
    return this.#messages.get(message) ?? this.#remember(message, this.#counted(this.#measured(message)));
  }

  #measured(message: Message): Measured {
    return measuredOf(partsOf(message), this.images);
  }

  #counted({ texts, tokens, toolCalls, imageTokens, estimated }: Measured): MessageTokens {
    let sum = tokens;
    for (const text of texts) sum += this.text(text);
    return {
      tokens: sum + this.overhead.message,
      toolCalls,
      imageTokens,
      estimated: estimated || !this.exact,
    };
  }

  #remember(message: Message, counted: MessageTokens): MessageTokens {
    this.#messages.set(message, counted);
    return counted;
  }

  *messageInSteps(message: Message): Steps<MessageTokens> {
    this.#forgetEstimates();
    const known = this.#messages.get(message);
    if (known !== undefined) return known;
    const measured = this.#measured(message);
    let length = 0;
    for (const text of measured.texts) length += text.length;
    if (length <= stepLength) return this.#remember(message, this.#counted(measured));
    for (const text of measured.texts) yield* this.textInSteps(text);
    return this.message(message);
  }

  *textInSteps(text: string): Steps<number> {
    this.#forgetEstimates();
    const texts = this.#texts;
    const known = texts.get(text);
    if (known !== undefined) return known;
    const tokens = yield* this.#countInSteps(text);
    // Meanwhile the tokenizer may have been loaded.
    return texts === this.#texts ? this.#rememberText(text, tokens) : tokens;
  }

  /**
   * Counts a message or a text with the loaded tokenizer while the figures are still estimates. The count is used once the
   * estimates are forgotten.
   */
  *countAhead(counted: Message | string): Steps<void> {
    if (this.#exact) return;
    this.#ahead ??= new MessageCounter(this.counter, this.overhead, this.images);
    const ahead = this.#ahead;
    ahead.#exact = true;
    if (typeof counted === 'string') {
      yield* ahead.textInSteps(counted);
      return;
    }
    yield* ahead.messageInSteps(counted);
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

/** Where a figure comes from: the model's own tokenizer, what the provider reported, or an estimate. */
export type Quality = 'exact' | 'calibrated' | 'estimated';
