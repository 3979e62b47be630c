import { type ReportedUsage, reportedUsage } from '@ctx/conversation';
import { parseJson } from '@ctx/core/codec';
import { lateOverflowIn, overflowIn } from './answer-overflow.js';

/** Is told each piece of an answer, and its end. */
export interface AnswerReader {
  piece(bytes: Uint8Array): void;
  end(): void;
}

/** Looks at the beginning of a stream as well. */
export interface StreamReader extends AnswerReader {
  /** True until the model has said something. */
  readonly isPrelude: boolean;
  /** The error with which the stream begins, if it says that the request was too large. */
  readonly overflow: unknown;
}

/** Who is told what an answer reports. */
export interface Told {
  usage(usage: ReportedUsage): void;
  /** The window was too small, but the answer has begun: it can't be asked for once more. */
  overflow(overflow: unknown): void;
  /** Is given a whole answer as one JSON, or each of its events. @default they need not be read */
  readonly answer?: ((value: unknown) => void) | undefined;
}

/** Characters of an answer that are kept to read its usage; of a longer one it is not read. */
const longestAnswer = 32 * 1024 * 1024;

/** Characters of an answer that is held back, to see whether it is an error. */
const longestHeld = 64 * 1024;

/** Reads an answer that is one JSON. Some servers send an error with the status of an answer. */
export class JsonReader implements StreamReader {
  #text = '';
  readonly #decoder = new TextDecoder();

  constructor(readonly told: Told) {}

  get isPrelude(): boolean {
    return this.#text.length <= longestHeld;
  }

  /** What is not complete is no JSON. */
  get overflow(): unknown {
    return this.isPrelude ? overflowIn(parsed(this.#text)) : undefined;
  }

  piece(bytes: Uint8Array): void {
    if (this.#text.length <= longestAnswer) this.#text += this.#decoder.decode(bytes, { stream: true });
  }

  end(): void {
    const answer = this.#text.length <= longestAnswer ? parsed(this.#text) : undefined;
    const usage = reportedUsage(answer);
    if (usage !== undefined) this.told.usage(usage);
    this.told.answer?.(answer);
    const overflow = this.isPrelude ? undefined : lateOverflowIn(answer);
    if (overflow !== undefined) this.told.overflow(overflow);
  }
}

/** Reads an answer that has a JSON in each line, as Ollama streams it. The last line reports the usage. */
export class JsonLinesReader implements StreamReader {
  isPrelude = true;
  overflow: unknown;
  readonly #decoder = new TextDecoder();
  #line = '';
  #usage: ReportedUsage | undefined;

  constructor(readonly told: Told) {}

  piece(bytes: Uint8Array): void {
    const lines = (this.#line + this.#decoder.decode(bytes, { stream: true })).split('\n');
    this.#line = lines.pop()?.slice(0, longestAnswer) ?? '';
    for (const line of lines) this.#read(line);
  }

  end(): void {
    this.#read(this.#line);
    if (this.#usage !== undefined) this.told.usage(this.#usage);
  }

  #read(line: string): void {
    if (line.trim() === '' || !(this.isPrelude || /eval_count|"error"/.test(line))) return;
    const value = parsed(line);
    if (this.isPrelude) this.overflow = overflowIn(value);
    else {
      const overflow = lateOverflowIn(value);
      if (overflow !== undefined) this.told.overflow(overflow);
    }
    this.isPrelude = false;
    this.#usage = reportedUsage(value) ?? this.#usage;
  }
}

export function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
