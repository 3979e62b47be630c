import { isFields } from '../base/native.js';
import { type Message, partsOf, partText } from '../transcript/message.js';

/**
 * A text whose lines stand elsewhere already: lines of its own, and references `[message, part, first line, number of lines]`. Message
 * -1 is the first of the texts themselves, -2 the second. An excerpt consists of such lines, so that it takes little room in a snapshot.
 */
export interface SharedLines {
  readonly lines: readonly (string | LinesOf)[];
}

type LinesOf = readonly [message: number, part: number, first: number, count: number];

/** A shorter text is kept as it is; a shorter line is not worth a reference. */
const leastText = 400;
const leastLine = 16;

const linesOf = (text: string) => text.split('\n');

/** Finds the lines of some texts in the messages, and says how each text is made of them. */
export class LineFinder {
  readonly #messages: readonly Message[];
  #asked = 0;
  readonly #places = new Map<string, readonly [message: number, part: number, line: number] | undefined>();

  /** @param texts all that will be asked for; only their lines are looked for */
  constructor(messages: readonly Message[], texts: readonly string[]) {
    this.#messages = messages;
    for (const text of texts) {
      if (text.length < leastText) continue;
      for (const line of linesOf(text)) if (line.length >= leastLine) this.#places.set(line, undefined);
    }
    if (this.#places.size > 0) this.#look();
  }

  #look(): void {
    this.#messages.forEach((message, at) => {
      partsOf(message).forEach((part, partAt) => {
        linesOf(partText(part) ?? '').forEach((line, lineAt) => {
          if (this.#places.has(line) && this.#places.get(line) === undefined)
            this.#places.set(line, [at, partAt, lineAt]);
        });
      });
    });
  }

  /** To be asked for each text once, in order. The text itself where sharing its lines saves nothing. */
  shared(text: string): string | SharedLines {
    this.#asked += 1;
    if (text.length < leastText) return text;
    const shared = { lines: this.#referred(text) };
    linesOf(text).forEach((line, at) => {
      if (line.length >= leastLine && this.#places.get(line) === undefined)
        this.#places.set(line, [-this.#asked, 0, at]);
    });
    return JSON.stringify(shared.lines).length < text.length ? shared : text;
  }

  #referred(text: string): readonly (string | LinesOf)[] {
    const lines: (string | LinesOf)[] = [];
    for (const line of linesOf(text)) {
      const last = lines.at(-1);
      const place = this.#places.get(line);
      if (place === undefined) {
        if (typeof last === 'string') lines[lines.length - 1] = `${last}\n${line}`;
        else lines.push(line);
      } else if (isNext(last, place)) lines[lines.length - 1] = [last[0], last[1], last[2], last[3] + 1];
      else lines.push([...place, 1]);
    }
    return lines;
  }
}

function isNext(
  last: string | LinesOf | undefined,
  [message, part, line]: readonly [number, number, number],
): last is LinesOf {
  if (last === undefined || typeof last === 'string') return false;
  return last[0] === message && last[1] === part && last[2] + last[3] === line;
}

/** The text that lines were shared of; a text as it is, and undefined for anything else or where a reference leads nowhere. */
export function textOfShared(
  value: unknown,
  messageAt: (index: number) => Message | undefined,
): string | undefined {
  if (typeof value === 'string') return value;
  if (!isFields(value) || !Array.isArray(value.lines)) return undefined;
  const pieces: string[] = [];
  for (const piece of value.lines) {
    const text = typeof piece === 'string' ? piece : referred(piece, messageAt);
    if (text === undefined) return undefined;
    pieces.push(text);
  }
  return pieces.join('\n');
}

function referred(piece: unknown, messageAt: (index: number) => Message | undefined): string | undefined {
  if (!Array.isArray(piece) || piece.length !== 4 || !piece.every((one) => Number.isSafeInteger(one)))
    return undefined;
  const [message, part, first, count] = piece as [number, number, number, number];
  const said = messageAt(message);
  const text = said && partText(partsOf(said)[part]);
  const lines = text === undefined || first < 0 ? [] : linesOf(text).slice(first, first + count);
  return count > 0 && lines.length === count ? lines.join('\n') : undefined;
}
