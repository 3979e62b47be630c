import { type ReportedUsage, reportedUsage } from '@ctx/conversation';
import { isOverflowError } from '@ctx/core';

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

/** Characters of an answer that are kept to read its usage; of a longer one it is not read. */
const longestAnswer = 32 * 1024 * 1024;

/** Reads the usage of an answer that is one JSON. */
export function jsonReader(onUsage: (usage: ReportedUsage) => void): AnswerReader {
  const decoder = new TextDecoder();
  let text = '';
  return {
    piece(bytes) {
      if (text.length <= longestAnswer) text += decoder.decode(bytes, { stream: true });
    },
    end() {
      const usage = text.length <= longestAnswer ? reportedUsage(parsed(text)) : undefined;
      if (usage !== undefined) onUsage(usage);
    },
  };
}

/** Reads an answer that has a JSON in each line, as Ollama streams it. The last line reports the usage. */
export class JsonLinesReader implements StreamReader {
  isPrelude = true;
  overflow: unknown;
  readonly #decoder = new TextDecoder();
  #line = '';
  #usage: ReportedUsage | undefined;

  constructor(readonly onUsage: (usage: ReportedUsage) => void) {}

  piece(bytes: Uint8Array): void {
    const lines = (this.#line + this.#decoder.decode(bytes, { stream: true })).split('\n');
    this.#line = lines.pop()?.slice(0, longestAnswer) ?? '';
    for (const line of lines) this.#read(line);
  }

  end(): void {
    this.#read(this.#line);
    if (this.#usage !== undefined) this.onUsage(this.#usage);
  }

  #read(line: string): void {
    if (line.trim() === '' || !(this.isPrelude || line.includes('eval_count'))) return;
    const value = parsed(line);
    const error = typeof value === 'object' && value !== null && 'error' in value ? value : undefined;
    if (this.isPrelude && error !== undefined && isOverflowError(error)) this.overflow = error;
    this.isPrelude = false;
    this.#usage = reportedUsage(value) ?? this.#usage;
  }
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
