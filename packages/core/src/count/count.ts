import { finish, type Steps } from '../base/slices.js';
import { type Message, partsOf } from '../transcript/message.js';
import { estimateTokens } from './estimate.js';
import { type ImageCost, usualImageCost } from './image-cost.js';
import { type MessageTokens, measuredOf } from './measurement.js';

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
type TokenOverhead = Readonly<Record<'message' | 'conversation', number>>;

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
  /** True: the estimates stay, loaded or not; see `ahead`. */
  isHeld = false;
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

  #forgetEstimates(): void {
    if (this.#exact || this.isHeld || !(this.#isLoaded || this.counter.loaded === true)) return;
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
    return this.#texts.get(text) ?? finish(this.textInSteps(text));
  }

  message(message: Message): MessageTokens {
    this.#forgetEstimates();
    return this.#messages.get(message) ?? finish(this.messageInSteps(message));
  }

  *messageInSteps(message: Message): Steps<MessageTokens> {
    this.#forgetEstimates();
    const messages = this.#messages;
    const known = messages.get(message);
    if (known !== undefined) return known;
    const { texts, ...measured } = measuredOf(partsOf(message), this.images);
    let tokens = measured.tokens + this.overhead.message;
    for (const text of texts) tokens += yield* this.textInSteps(text);
    // Meanwhile the tokenizer may have been loaded.
    if (messages !== this.#messages) return yield* this.messageInSteps(message);
    const counted = { ...measured, tokens, estimated: measured.estimated || !this.exact };
    messages.set(message, counted);
    return counted;
  }

  *textInSteps(text: string): Steps<number> {
    this.#forgetEstimates();
    const texts = this.#texts;
    const known = texts.get(text);
    if (known !== undefined) return known;
    const tokens = yield* this.#counted(text);
    if (texts !== this.#texts) return tokens;
    if (texts.size >= mostTexts || this.#characters + text.length > mostCharacters) {
      texts.clear();
      this.#characters = 0;
    }
    texts.set(text, tokens);
    this.#characters += text.length;
    return tokens;
  }

  /** Counts with the loaded tokenizer while the figures here are still estimates. Its counts are used once these are forgotten. */
  get ahead(): MessageCounter {
    if (this.#exact) return this;
    this.#ahead ??= new MessageCounter(this.counter, this.overhead, this.images);
    this.#ahead.#exact = true;
    return this.#ahead;
  }

  /** A counter that throws or returns no valid number must not break the total. */
  *#counted(text: string): Steps<number> {
    if (text === '') return 0;
    const { counter } = this;
    try {
      const tokens = counter.countInSteps ? yield* counter.countInSteps(text) : counter.count(text);
      if (tokens >= 0 && tokens < Number.POSITIVE_INFINITY) return tokens;
    } catch {}
    this.#failed = true;
    return estimateTokens(text);
  }
}

/** Where a figure comes from: the model's own tokenizer, what the provider reported, or an estimate. */
export type Quality = 'exact' | 'calibrated' | 'estimated';
