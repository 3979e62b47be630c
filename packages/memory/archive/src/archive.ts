import {
  type Archive,
  type ArchivedMessage,
  type ArchiveEntry,
  type ArchivePassage,
  estimateTokens,
  type Message,
} from '@ctx/core';
import { unavailable, unknownRef } from './archive-errors.js';
import {
  type ArchiveOptions,
  checkEntries,
  checkMessages,
  checkName,
  checkOptions,
  getOptions,
  searchOptions,
  text,
} from './checks.js';
import { entriesOf } from './entries.js';
import { parseRef } from './ref.js';
import { longestPath, plain } from './search/filter.js';
import { MemoryIndex } from './search/memory-index.js';
import { indexed, indexedPart, underRef } from './search/passage.js';
import { bestThatFit, fromTheStart } from './search/results.js';
import { queryTerms } from './search/terms.js';
import type { IndexedPart, Matches, Passage, PassageFilter, PassageStore, QueryTerm } from './store.js';

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
  readonly #redact: (text: string) => string;
  readonly #now: () => number;
  #closed = false;

  constructor(
    readonly store: PassageStore,
    readonly options: ArchiveOptions,
  ) {
    this.#tokensOf = options.tokensOf ?? estimateTokens;
    this.#redact = options.redact ?? ((text) => text);
    this.#now = options.now ?? Date.now;
  }

  async put(entries: readonly ArchiveEntry[]): Promise<void> {
    this.#refuseClosed();
    checkEntries(entries);
    const [first] = entries;
    if (first === undefined) return;
    await this.#expire();
    const parts = entries.map((entry) => this.#indexed(entry));
    await this.store.put(first.conversation, parts, this.#now());
  }

  async keep(conversation: string, messages: readonly ArchivedMessage[]): Promise<void> {
    this.#refuseClosed();
    checkName(conversation, 'conversation');
    checkMessages(messages);
    await this.put(messages.flatMap((one) => entriesOf({ conversation, ...one })));
  }

  async get(ref: string, options: Parameters<Archive['get']>[1]): Promise<readonly ArchivePassage[]> {
    checkOptions(options, getOptions, 'get');
    const asked = parseRef(ref);
    const { conversation, maxTokens = Number.POSITIVE_INFINITY, said } = options;
    if (said === undefined) this.#refuseClosed();
    if (said === undefined) await this.#expire();
    const { message: first, last = first } = asked;
    const end = Math.min(last, first + mostMessages - 1);
    const passages: Passage[] = [];
    let tokens = 0;
    for (let number = first; number <= end && tokens <= maxTokens; number += 1) {
      const message = said?.(number);
      const whole =
        said === undefined
          ? await this.store.message(conversation, number)
          : message && this.#passagesOf(conversation, message);
      for (const one of underRef(whole ?? [], asked, this.#tokensOf)) {
        passages.push(one);
        tokens += one.tokens;
      }
    }
    if (passages.length === 0) throw unknownRef(ref);
    return fromTheStart(passages, { conversation, maxTokens }, this.#tokensOf);
  }

  async search(query: string, options: Parameters<Archive['search']>[1]): Promise<readonly ArchivePassage[]> {
    this.#refuseClosed();
    checkOptions(query, text, 'query');
    checkOptions(options, searchOptions, 'search');
    const { conversation, maxTokens = usualTokens, kind, path, since, within, shown = [] } = options;
    const kinds = typeof kind === 'string' ? [kind] : kind;
    if (path !== undefined && path.length > longestPath) return [];
    const filter = { kinds, path: path === undefined ? undefined : plain(path), since };
    const terms = queryTerms(query);
    const asked = { query, conversation, maxTokens };
    await this.#expire();
    // Who names a message wants to read it again.
    if (within !== undefined)
      return bestThatFit(await this.#within(within, conversation, terms, filter), asked, this.#tokensOf);
    const isShown = this.#linesIn(shown);
    // Some are left out: they must not take the place of others.
    const found = await this.store.search(
      conversation,
      terms,
      filter,
      shown.length > 0 ? 2 * mostHits : mostHits,
    );
    const left = found.hits.filter(({ passage }) => !isRecalled(passage) && !isShown(passage.text));
    return bestThatFit({ ...found, hits: left.slice(0, mostHits) }, asked, this.#tokensOf);
  }

  async forget(
    conversation: string,
    { from = '#m1', to }: Parameters<Archive['forget']>[1] = {},
  ): Promise<void> {
    this.#refuseClosed();
    checkName(conversation, 'conversation');
    const last = to === undefined ? Number.POSITIVE_INFINITY : parseRef(to).message;
    await this.store.forget(conversation, parseRef(from).message, last);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.store.close();
  }

  #indexed(entry: ArchiveEntry): IndexedPart {
    const { heading, path, text } = entry;
    const redacted = {
      ...entry,
      heading: this.#redact(heading),
      path: path === undefined ? undefined : this.#redact(path),
      text: this.#redact(text),
    };
    return indexedPart(redacted, this.#tokensOf);
  }

  #passagesOf(conversation: string, message: ArchivedMessage): Passage[] {
    const parts = entriesOf({ conversation, ...message }).map((entry) => this.#indexed(entry));
    return parts.flatMap(({ passages }) => passages.map(({ passage }) => passage));
  }

  #refuseClosed(): void {
    if (this.#closed) throw unavailable('The archive is closed');
  }

  /** Returns a test of whether every line of a text is in one of the messages. The space around a line does not count. */
  #linesIn(messages: readonly Message[]): (text: string) => boolean {
    const linesOf = (text: string) => text.split('\n').map((line) => line.trim());
    const entries = messages.flatMap((message) => entriesOf({ conversation: '', number: 1, message }));
    const lines = new Set(['', ...entries.flatMap(({ text }) => linesOf(this.#redact(text)))]);
    return (text) => linesOf(text).every((line) => lines.has(line));
  }

  /** A message is small: its passages are ranked among themselves, by what they have and others of it do not. */
  async #within(
    within: string,
    conversation: string,
    terms: readonly QueryTerm[],
    filter: PassageFilter,
  ): Promise<Matches> {
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

/** The tool under the names that agents give to it: `recall`, `mcp__ctx__recall`, `ctx_recall`. */
const recallTool = /^(?:recall|\S*__recall|(?:\S*[^\sa-z0-9])?ctx[-_./]recall)(?: |$)/i;
/** The command, run by whatever tool runs commands. */
const recallCommand = /^\S+ (?:npx )?ctx recall\b/;

/** True for a call of recall and for what it brought: they have every word of their query, and say nothing that is not kept elsewhere. */
function isRecalled({ kind, heading }: Passage): boolean {
  if (kind !== 'call' && kind !== 'result') return false;
  return recallTool.test(heading) || recallCommand.test(heading);
}
