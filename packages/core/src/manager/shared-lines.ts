import { isFields } from '../base/native.js';
import { type Message, partsOf, partText } from '../transcript/message.js';

/**
 * A text whose lines mostly exist elsewhere: its own lines, and references `[message, part, ...lines]`, where `[first,
 * count]` stands for consecutive lines. Message -1 is the first of the texts themselves, -2 the second. Excerpts
 * consist of such lines, so they take little room in a snapshot.
 */
export interface SharedLines {
  readonly lines: readonly (string | LinesOf)[];
}

type LinesOf = [message: number, part: number, ...runs: (number | [first: number, count: number])[]];

/** A shorter text is kept whole. A shorter line is not worth a reference. */
const leastText = 400;
const leastLine = 16;

const linesOf = (text: string) => text.split('\n');

/** Finds lines of texts in the messages, and describes each text by them. */
export class LineFinder {
  readonly #messages: readonly Message[];
  #asked = 0;
  readonly #places = new Map<string, readonly [message: number, part: number, line: number] | undefined>();

  /** @param texts all texts that `shared` will be called with; only their lines are searched for */
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

  /** Call this once for each text, in order. Returns the text itself if sharing its lines saves nothing. */
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
      } else if (isOfSamePart(last, place)) extend(last, place[2]);
      else lines.push([...place]);
    }
    return lines;
  }
}

function isOfSamePart(
  last: string | LinesOf | undefined,
  [message, part]: readonly [number, number, number],
): last is LinesOf {
  return last !== undefined && typeof last !== 'string' && last[0] === message && last[1] === part;
}

/** Adds a line to a reference. Either its last run grows by one, or a new run begins. */
function extend(lines: LinesOf, line: number): void {
  const last = lines.length - 1;
  const [first, count] = runOf(lines[last]) as [number, number];
  if (first + count === line) lines[last] = [first, count + 1];
  else lines.push(line);
}

/** The first line and the number of lines; undefined if the value is not a run. */
function runOf(run: unknown): [first: number, count: number] | undefined {
  const [first, count, ...others] = Array.isArray(run) ? run : [run, 1];
  const isRun = Number.isSafeInteger(first) && Number.isSafeInteger(count) && others.length === 0;
  return isRun && first >= 0 && count > 0 ? [first, count] : undefined;
}

/**
 * Restores a text from its shared lines. A plain text is returned unchanged. Undefined for anything else, or if a
 * reference is broken.
 */
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
  if (!Array.isArray(piece) || piece.length < 3) return undefined;
  const [message, part, ...runs]: unknown[] = piece;
  if (!Number.isSafeInteger(message) || !Number.isSafeInteger(part)) return undefined;
  const said = messageAt(message as number);
  const text = said && partText(partsOf(said)[part as number]);
  const all = text === undefined ? [] : linesOf(text);
  const pieces: string[] = [];
  for (const run of runs) {
    const [first, count] = runOf(run) ?? [0, 0];
    const lines = all.slice(first, first + count);
    if (count === 0 || lines.length !== count) return undefined;
    pieces.push(...lines);
  }
  return pieces.join('\n');
}
