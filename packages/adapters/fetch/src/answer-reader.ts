import { type ReportedUsage, reportedUsage } from '@ctx/conversation';
import { isFields, isOverflowError } from '@ctx/core/codec';
import { type Frames, parsed, type TakeText } from './answer-frames.js';
import { overflowIn, saysNothing } from './answer-overflow.js';

/** Who is told what an answer reports. */
export interface Told {
  usage(usage: ReportedUsage): void;
  /** The window was too small, but the answer has begun: it can't be asked for once more. */
  overflow(overflow: unknown): void;
  /**
   * Is given a whole answer as one JSON, or each of its events. What it returns is waited for before the agent sees the end.
   * @default they need not be read
   */
  readonly answer?: ((value: unknown) => Promise<void> | undefined) | undefined;
}

/** Bytes of an answer that is held back, to see whether it is an error. */
const longestHeld = 64 * 1024;
/** What an event has that says what the answer took, or that it failed. A text has no quote without a backslash before it. */
const report = /usage|eval_count|"error"|[eE]xception|context_(?:window|length)/;

/** Reads an answer on its way, one JSON or several: an overflow at its beginning or later, and the usage. */
export class AnswerReader {
  /** True until the model has said something: the answer may still be an error. */
  isPrelude = true;
  /** The error with which the answer begins, if it says that the request was too large. */
  overflow: unknown;
  /** What has to be done before what was read passes. */
  noted: Promise<void> | undefined;
  #held = 0;
  #usage: ReportedUsage | undefined;
  #frames: Frames | undefined;

  constructor(
    readonly told: Told,
    frames: (take: TakeText) => Frames,
  ) {
    this.#frames = frames((text, name) => this.#read(text, name));
  }

  piece(bytes: Uint8Array): void {
    this.#held += bytes.length;
    if (this.#held > longestHeld) this.isPrelude = false;
    try {
      this.#frames?.piece(bytes);
    } catch {
      this.#frames = undefined;
      this.isPrelude = false;
    }
  }

  /** No more follows: what is left is read. */
  last(): void {
    this.#frames?.end();
    this.#frames = undefined;
  }

  /** The answer has passed, or is no longer read. */
  end(): void {
    this.last();
    this.#tell();
  }

  #read(text: string, name: string | undefined): void {
    const isRead = this.isPrelude || this.told.answer !== undefined || name === 'exception';
    if (!isRead && !report.test(text)) return;
    const value = parsed(text);
    this.noted = this.told.answer?.(value) ?? this.noted;
    const overflow = overflowIn(value, name);
    if (this.isPrelude) {
      this.overflow = overflow;
      this.isPrelude = overflow === undefined && saysNothing(value, name);
    } else if (isOverflowError(overflow)) this.told.overflow(overflow);
    // Anthropic says of the cache and of thinking only where a stream begins.
    const usage = reportedUsage(value);
    if (usage !== undefined) this.#usage = { ...this.#usage, ...usage };
    // Ollama's SDK stops reading after this line, without a word.
    if (isFields(value) && value.done === true) this.#tell();
  }

  #tell(): void {
    if (this.#usage !== undefined) this.told.usage(this.#usage);
    this.#usage = undefined;
  }
}
