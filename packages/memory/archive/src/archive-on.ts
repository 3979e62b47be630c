import {
  type Archive,
  type ArchivedMessage,
  type ArchiveEntry,
  type ArchivePassage,
  estimateTokens,
  type Message,
  messageText,
  type TranscriptMessage,
} from '@ctx/core';
import { unavailable, unknownRef } from './archive-errors.js';
import type { ArchiveOptions } from './archive-options.js';
import {
  checkConversation,
  checkEntries,
  checkGet,
  checkMessages,
  checkOptions,
  checkRange,
  checkSearch,
} from './checks.js';
import { entriesOfArchived } from './entries.js';
import { MemoryIndex } from './memory/index-of-terms.js';
import { messageOf, originalOf } from './original.js';
import { parseRef } from './ref.js';
import { longestPath, plain } from './search/filter.js';
import { indexed, indexedPart } from './search/indexed-passage.js';
import { underRef } from './search/lines.js';
import { asFound, packed } from './search/pack.js';
import type { Passage } from './search/passage.js';
import { queryTerms } from './search/query.js';
import type { IndexedPart, Original, PassageFilter, PassageStore, QueryTerm } from './store.js';

/** Returns a test of whether every line of a text is in one of the messages. The space around a line does not count. */
function linesShownIn(messages: readonly Message[]): (text: string) => boolean {
  const lines = new Set(['', ...messages.flatMap((message) => linesOf(messageText(message)))]);
  return (text) => linesOf(text).every((line) => lines.has(line));
}

const linesOf = (text: string) => text.split('\n').map((line) => line.trim());

/** The tool under the names that agents give to it: `recall`, `mcp__ctx__recall`, `ctx_recall`. */
const recallTool = /^(?:recall|\S*__recall|(?:\S*[^\sa-z0-9])?ctx[-_./]recall)(?: |$)/i;
/** The command, run by whatever tool runs commands. */
const recallCommand = /^\S+ (?:npx )?ctx recall\b/;

/** True for a call of recall and for what it brought: they have every word of their query, and say nothing that is not kept elsewhere. */
function isRecalled({ kind, heading }: Passage): boolean {
  if (kind !== 'call' && kind !== 'result') return false;
  return recallTool.test(heading) || recallCommand.test(heading);
}

/** Passages of which results are chosen. More never fit into a result that a model is given. */
const mostHits = 200;
/** Messages that one handle is answered with at most. */
const mostMessages = 1000;
/** Tokens: what a model gets when it does not say how much it wants. */
const usualTokens = 1000;

/**
 * An archive on a store. Whatever it is kept in, the same texts are found.
 * @throws ConfigError for options that cannot work
 */
export function archiveOn(store: PassageStore, options: ArchiveOptions = {}): Archive {
  checkOptions(options);
  return new StoredArchive(store, options);
}

class StoredArchive implements Archive {
  readonly #tokensOf: (text: string) => number;
  readonly #now: () => number;
  #closed = false;

  constructor(
    readonly store: PassageStore,
    readonly options: ArchiveOptions,
  ) {
    this.#tokensOf = options.tokensOf ?? estimateTokens;
    this.#now = options.now ?? Date.now;
  }

  async put(entries: readonly ArchiveEntry[]): Promise<void> {
    this.#refuseClosed();
    checkEntries(entries);
    const conversation = entries[0]?.conversation;
    if (conversation !== undefined) await this.#put(conversation, entries, []);
  }

  async #put(
    conversation: string,
    entries: readonly ArchiveEntry[],
    originals: readonly Original[],
  ): Promise<void> {
    const { maxCharacters } = this.options;
    await this.#expire();
    const parts = entries.map((entry) => this.#indexed(entry));
    const characters = await this.store.put(conversation, parts, this.#now(), originals);
    if (maxCharacters !== undefined && characters > maxCharacters)
      await this.store.shrink(conversation, maxCharacters);
  }

  async keep(conversation: string, messages: readonly ArchivedMessage[]): Promise<void> {
    this.#refuseClosed();
    checkConversation(conversation);
    checkMessages(messages);
    const entries = messages.flatMap((one) => entriesOfArchived(conversation, one));
    checkEntries(entries);
    const originals = messages.flatMap((one) => originalOf(one, this.options.redact) ?? []);
    if (entries.length > 0 || originals.length > 0) await this.#put(conversation, entries, originals);
  }

  async originals(conversation: string, first: number, last: number): Promise<readonly TranscriptMessage[]> {
    this.#refuseClosed();
    checkConversation(conversation);
    checkRange(first, last);
    await this.#expire();
    return (await this.store.originals(conversation, first, last)).map(messageOf);
  }

  async get(ref: string, options: Parameters<Archive['get']>[1]): Promise<readonly ArchivePassage[]> {
    checkGet(options);
    const asked = parseRef(ref);
    const { conversation, maxTokens = Number.POSITIVE_INFINITY, said } = options;
    let isReady = false;
    const kept = async (number: number) => {
      this.#refuseClosed();
      if (!isReady) await this.#expire();
      isReady = true;
      return this.store.message(conversation, number);
    };
    const { message: first, last = first } = asked;
    const passages: Passage[] = [];
    let tokens = 0;
    for (
      let number = first;
      number <= Math.min(last, first + mostMessages - 1) && tokens <= maxTokens;
      number += 1
    ) {
      const message = said === undefined ? 'kept' : said(number);
      const whole =
        message === 'kept' ? await kept(number) : message && this.#passagesOf(conversation, message);
      const some = underRef(whole ?? [], asked, this.#tokensOf);
      for (const one of some) passages.push(one);
      tokens += some.reduce((sum, one) => sum + one.tokens, 0);
    }
    if (passages.length === 0) throw unknownRef(ref);
    return asFound(passages, conversation, maxTokens, this.#tokensOf);
  }

  async search(query: string, options: Parameters<Archive['search']>[1]): Promise<readonly ArchivePassage[]> {
    this.#refuseClosed();
    checkSearch(query, options);
    const { conversation, maxTokens = usualTokens, kind, path, since, within, shown } = options;
    const kinds = typeof kind === 'string' ? [kind] : kind;
    if (path !== undefined && path.length > longestPath) return [];
    const filter = { kinds, path: path === undefined ? undefined : plain(path), since };
    const terms = queryTerms(query);
    await this.#expire();
    const found =
      within === undefined
        ? await this.store.search(conversation, terms, filter, mostHits)
        : await this.#searchWithin(within, conversation, terms, filter);
    // Who names a message wants to read it again.
    const isShown = shown === undefined ? () => false : linesShownIn(shown);
    const isLeftOut = (passage: Passage) =>
      within === undefined && (isRecalled(passage) || isShown(passage.text));
    return packed(found, { query, conversation, maxTokens, isLeftOut }, this.#tokensOf);
  }

  async forget(
    conversation: string,
    { from = '#m1', to }: Parameters<Archive['forget']>[1] = {},
  ): Promise<void> {
    this.#refuseClosed();
    checkConversation(conversation);
    const last = to === undefined ? Number.POSITIVE_INFINITY : parseRef(to).message;
    await this.store.forget(conversation, parseRef(from).message, last);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.store.close();
  }

  #indexed(entry: ArchiveEntry): IndexedPart {
    const { redact } = this.options;
    return indexedPart(redact === undefined ? entry : redacted(entry, redact), this.#tokensOf);
  }

  #passagesOf(conversation: string, message: ArchivedMessage): Passage[] {
    const parts = entriesOfArchived(conversation, message).map((entry) => this.#indexed(entry));
    return parts.flatMap(({ passages }) => passages.map(({ passage }) => passage));
  }

  #refuseClosed(): void {
    if (this.#closed) throw unavailable('The archive is closed');
  }

  /** A message is small: its passages are ranked among themselves, by what they have and others of it do not. */
  async #searchWithin(
    within: string,
    conversation: string,
    terms: readonly QueryTerm[],
    filter: PassageFilter,
  ) {
    const ref = parseRef(within);
    const passages = underRef(await this.store.message(conversation, ref.message), ref, this.#tokensOf);
    if (passages.length === 0) throw unknownRef(within);
    const index = new MemoryIndex();
    for (const passage of passages) index.add(indexed(passage));
    return index.search(terms, filter, mostHits);
  }

  async #expire(): Promise<void> {
    const { timeToLive } = this.options;
    if (timeToLive !== undefined) await this.store.expire(this.#now() - timeToLive);
  }
}

function redacted(entry: ArchiveEntry, redact: (text: string) => string): ArchiveEntry {
  const { heading, path, text } = entry;
  return {
    ...entry,
    heading: redact(heading),
    ...(path === undefined ? {} : { path: redact(path) }),
    text: redact(text),
  };
}
