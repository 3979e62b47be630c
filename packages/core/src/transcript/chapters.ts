import { jsonText } from '../base/json.js';
import { type Message, partsOf, partText } from './message.js';

/**
 * A chapter has this number of windows, so that what an excerpt is made from is many times what it may hold, and at least this
 * number of tokens: choosing from so much takes about a tenth of a second. A limit on the work for a window of any size.
 */
const windowsInChapter = 16;
const leastTokens = 500_000;
/** Roughly, in UTF-16 units. A chapter need not be exact. */
const tokenLength = 4;

/**
 * The length of a chapter, in UTF-16 units.
 * @param contextWindow tokens
 */
export function chapterLength(contextWindow: number): number {
  return tokenLength * Math.max(leastTokens, windowsInChapter * contextWindow);
}

/** What a chapter is divided by. */
interface Said {
  readonly index: number;
  readonly exchange: number;
  readonly message: Message;
}

/** Divides a transcript into chapters of about the same length, in whole exchanges. What was divided once stays so. */
export class Chapters {
  /** The position of the first message of each chapter. */
  readonly starts: number[] = [];
  #length = 0;
  #exchange = -1;

  /** @param length UTF-16 units after which the next exchange begins a chapter */
  constructor(readonly length: number) {}

  add({ index, exchange, message }: Said): void {
    if (this.starts.length === 0 || (this.#length >= this.length && exchange !== this.#exchange)) {
      this.starts.push(index);
      this.#length = 0;
    }
    this.#exchange = exchange;
    // A system prompt may be replaced, and nothing that follows may come into another chapter then.
    if (message.role !== 'system') this.#length += lengthOf(message);
  }
}

function lengthOf(message: Message): number {
  let length = 0;
  for (const part of partsOf(message))
    length += (part.type === 'tool-call' ? jsonText(part.input) : (partText(part) ?? '')).length;
  return length;
}
