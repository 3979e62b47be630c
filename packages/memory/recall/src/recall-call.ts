import { parseRef, refText } from '@ctx/archive';
import { type ArchivePassage, CtxError, type PassageSource } from '@ctx/core';
import { messagesOf, refOfMessages, type Wish } from './arguments.js';
import { framed } from './frame.js';
import { bestThatFit, type Fitted, fromTheStart } from './passage-fit.js';

/** What a model is told when there are no passages to show. Each says what to try. */
export const answers = {
  nothingAsked:
    'recall needs query, the words to look for, or ref, a handle such as #m41 or #m41:120-180. Example: {"query": "parseConfig error"}',
  nothingYet: 'Nothing has left your view yet: all of this conversation is above.',
  unavailable:
    'What left your view cannot be read at the moment. Go on without it, or try again later; nothing of it is lost.',
  nothingFound({ refs, path, kind }: Wish): string {
    if (refs.length > 0)
      return `Nothing in ${refs.join(', ')} has these words. Give ref without query to read it whole, or query without ref.`;
    const narrowed = path !== undefined || kind !== undefined;
    return `Nothing was found. Try${narrowed ? ' without path and kind, or' : ''} names exactly as they were written (files, functions, values, error texts), or other words. What is still in your view is not searched.`;
  },
  unknownRefs: (refs: readonly string[]) =>
    `Nothing is kept under ${refs.join(', ')}. Use a handle that you see in this conversation, or search with query.`,
  unknownLines: (ref: string, message: string, last: number) =>
    `${ref} does not exist: ${message} has ${last} lines.`,
  left: (refs: readonly string[]) => `Left out, as it did not fit: ${refs.join(', ')}. Read it with ref.`,
  lineCut: (ref: string) => `${ref} is longer than fits. Search in it with ref and query.`,
};

/** What an answer may have. */
interface Room {
  /** Tokens. */
  readonly tokens: number;
  tokensOf(text: string): number;
}

/** One call. */
export class Recall {
  constructor(
    readonly source: PassageSource,
    readonly wish: Wish,
    readonly room: Room,
  ) {}

  /** Rejects only if the source fails. */
  async answer(): Promise<string> {
    const { query, refs, path } = this.wish;
    if (refs.length > 0) return query === '' ? this.#read() : this.#searchWithin();
    if (query === '' && path === undefined) return this.#told(answers.nothingAsked);
    const { kind } = this.wish;
    const maxTokens = this.#roomForPassages();
    return this.#found(
      await this.source.find(query === '' ? (path as string) : query, { path, kind, maxTokens }),
    );
  }

  async #searchWithin(): Promise<string> {
    const { query, refs, path, kind } = this.wish;
    const found: ArchivePassage[] = [];
    let left = this.#roomForPassages();
    for (const [at, within] of refs.entries()) {
      // What one message does not need is for the others.
      const maxTokens = Math.max(1, Math.floor(left / (refs.length - at)));
      const results = await this.#unlessUnknown(() =>
        this.source.find(query, { within, path, kind, maxTokens }),
      );
      if (results === undefined) return this.#told(await this.#unknown([within]));
      left -= results.reduce((sum, { tokens }) => sum + tokens, 0);
      found.push(...results);
    }
    return this.#found(found);
  }

  async #read(): Promise<string> {
    const { refs } = this.wish;
    const found: Read[] = [];
    const unknown: string[] = [];
    for (const ref of refs) {
      // A message is read whole, so that what is left of it is known; of several, a little more than can be shown.
      const options = isOneMessage(ref) ? {} : { maxTokens: 2 * this.room.tokens };
      const passages = await this.#unlessUnknown(() => this.source.read(ref, options));
      if (passages === undefined) unknown.push(ref);
      else found.push({ ref, passages });
    }
    const all = found.flatMap(({ passages }) => passages);
    const [last] = all.slice(-1);
    if (last === undefined) return this.#told(await this.#unknown(unknown));
    const missing = unknown.length === 0 ? [] : [answers.unknownRefs(unknown)];
    const notes = (left: readonly string[], cutLine: string | undefined) => [
      ...missing,
      ...(cutLine === undefined ? [] : [answers.lineCut(cutLine)]),
      ...(left.length === 0 ? [] : [answers.left(left)]),
    ];
    if (refs.every(isOneMessage) && this.#fits(all, missing)) return this.#text(all, missing);
    // There is room for every note that may become necessary.
    const longest = notes([last.ref, last.ref, ...refs], last.ref);
    const { shown, next, cutLine } = fromTheStart(all, (some) => this.#fits(some, longest));
    const said = notes(next === undefined ? [] : await this.#left(found, next), cutLine);
    return shown.length === 0 ? this.#told(...said) : this.#text(shown, said);
  }

  #found(passages: readonly ArchivePassage[]): string {
    const shown = bestThatFit(passages, (some) => this.#fits(some, []));
    return shown.length === 0 ? this.#told(answers.nothingFound(this.wish)) : this.#text(shown, []);
  }

  /** Tokens for passages with their heads, as sources count them: what stands around them is ours. */
  #roomForPassages(): number {
    return Math.max(1, this.room.tokens - this.room.tokensOf(this.#text([], [])));
  }

  /** What has far too many tokens for the source is not counted again: it may be megabytes. */
  #fits(shown: readonly ArchivePassage[], notes: readonly string[]): boolean {
    const known = shown.reduce((sum, { tokens }) => sum + tokens, 0);
    return known <= 2 * this.room.tokens && this.room.tokensOf(this.#text(shown, notes)) <= this.room.tokens;
  }

  #text(shown: readonly ArchivePassage[], notes: readonly string[]): string {
    return framed(shown, [...notes, ...this.wish.notes]);
  }

  /** An answer without passages. What was understood differently is said if there is room. */
  #told(...sentences: readonly string[]): string {
    const all = [...sentences, ...this.wish.notes].join('\n');
    return this.room.tokensOf(all) <= this.room.tokens ? all : sentences.join('\n');
  }

  async #unlessUnknown<Result>(ask: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await ask();
    } catch (error) {
      if (CtxError.isInstance(error) && unknownCodes.includes(error.code)) return undefined;
      throw error;
    }
  }

  /** The handles of what is left out: the rest of the message in which the answer ends, of the range that it is in, and all that was asked for behind it. */
  async #left(read: readonly Read[], { passage, line }: NonNullable<Fitted['next']>): Promise<string[]> {
    const at = read.findIndex(({ passages }) => passages.includes(passage));
    const { ref } = read[at] as Read;
    const { message } = passage;
    const asked = parseRef(ref).lines?.last ?? Number.POSITIVE_INFINITY;
    const last = Math.min(asked, (await this.#lastLine(`#m${message}`)) ?? line);
    const lines = line > last ? [] : [refText({ message, lines: { first: line, last } })];
    const end = messagesOf(ref).last;
    const range = end > message ? [refOfMessages(message + 1, end)] : [];
    return [...lines, ...range, ...read.slice(at + 1).map((one) => one.ref)];
  }

  async #lastLine(message: string): Promise<number | undefined> {
    const passages = await this.#unlessUnknown(() => this.source.read(message));
    const end = passages?.at(-1)?.ref;
    return end === undefined ? undefined : parseRef(end).lines?.last;
  }

  /** If only the lines of a handle are wrong, it is said how many there are. */
  async #unknown(refs: readonly string[]): Promise<string> {
    const [ref = '', ...others] = refs;
    const message = ref.split(':', 1)[0] as string;
    if (message === ref || others.length > 0) return answers.unknownRefs(refs);
    const last = await this.#lastLine(message);
    return last === undefined ? answers.unknownRefs(refs) : answers.unknownLines(ref, message, last);
  }
}

function isOneMessage(ref: string): boolean {
  const { first, last } = messagesOf(ref);
  return first === last;
}

/** What stands under a handle that was asked for. */
interface Read {
  readonly ref: string;
  readonly passages: readonly ArchivePassage[];
}

const unknownCodes: readonly string[] = ['archive-ref-unknown', 'archive-ref-invalid'];
