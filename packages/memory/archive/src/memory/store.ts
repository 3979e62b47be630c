import type { Archive } from '@ctx/core';
import { conflict } from '../archive-errors.js';
import { archiveOn } from '../archive-on.js';
import type { ArchiveOptions } from '../archive-options.js';
import { indexed } from '../search/indexed-passage.js';
import type { Passage } from '../search/passage.js';
import type { IndexedPart, Original, PassageStore } from '../store.js';
import { MemoryIndex } from './index-of-terms.js';

interface KeptPart {
  readonly digest: number;
  /** Positions in the index. */
  positions: readonly number[];
}

/** What is kept of one conversation. */
class Kept {
  index = new MemoryIndex();
  readonly messages = new Map<number, Map<number, KeptPart>>();
  readonly originals = new Map<number, string>();
  /** The highest number of an original. */
  newest = 0;
  characters = 0;
  changed = 0;

  has({ message, part, digest }: IndexedPart): boolean {
    const kept = this.messages.get(message)?.get(part);
    if (kept !== undefined && kept.digest !== digest) throw conflict(message);
    return kept !== undefined;
  }

  add({ message, part, digest, passages }: IndexedPart): void {
    const parts = this.messages.get(message) ?? new Map<number, KeptPart>();
    this.messages.set(message, parts);
    parts.set(part, { digest, positions: passages.map((one) => this.index.add(one)) });
    for (const { passage } of passages) this.characters += passage.text.length;
  }

  addOriginal({ message, data }: Original): void {
    if (!this.originals.has(message)) this.originals.set(message, data);
    this.newest = Math.max(this.newest, message);
  }

  passagesOf(message: number): Passage[] {
    const parts = [...(this.messages.get(message) ?? [])].sort(([a], [b]) => a - b);
    return parts.flatMap(([, { positions }]) => positions.flatMap((at) => this.index.at(at) ?? []));
  }

  remove(message: number): void {
    for (const { positions } of this.messages.get(message)?.values() ?? []) {
      for (const at of positions) {
        this.characters -= this.index.at(at)?.text.length ?? 0;
        this.index.remove(at);
      }
    }
    this.messages.delete(message);
    this.originals.delete(message);
  }

  /** Every message of which something is kept, in order. */
  get numbers(): number[] {
    return [...new Set([...this.messages.keys(), ...this.originals.keys()])].sort((a, b) => a - b);
  }

  /** Rebuilds the index when most of it belongs to what was removed. */
  tidy(): void {
    if (!this.index.isSparse) return;
    const old = this.index;
    this.index = new MemoryIndex();
    for (const parts of this.messages.values()) {
      for (const part of parts.values()) {
        const passages = part.positions.flatMap((at) => old.at(at) ?? []);
        part.positions = passages.map((passage) => this.index.add(indexed(passage)));
      }
    }
  }
}

/** Keeps passages in memory. */
function memoryStore(): PassageStore {
  const conversations = new Map<string, Kept>();
  return {
    async put(conversation, parts, now, originals) {
      const kept = conversations.get(conversation) ?? new Kept();
      for (const part of parts.filter((one) => !kept.has(one))) kept.add(part);
      for (const one of originals) kept.addOriginal(one);
      kept.changed = now;
      conversations.set(conversation, kept);
      return kept.characters;
    },
    async originals(conversation, first, last) {
      const { originals, newest } = conversations.get(conversation) ?? { newest: 0 };
      const found: string[] = [];
      for (let number = first; number <= Math.min(last, newest); number += 1) {
        const data = originals?.get(number);
        if (data !== undefined) found.push(data);
      }
      return found;
    },
    message: async (conversation, message) => conversations.get(conversation)?.passagesOf(message) ?? [],
    search: async (conversation, terms, filter, most) =>
      conversations.get(conversation)?.index.search(terms, filter, most) ?? { hits: [], terms: [] },
    async forget(conversation, from, to) {
      const kept = conversations.get(conversation);
      const isAll = from <= 1 && to === Number.POSITIVE_INFINITY;
      if (isAll) conversations.delete(conversation);
      if (kept === undefined || isAll) return;
      for (const message of kept.numbers) if (message >= from && message <= to) kept.remove(message);
      kept.tidy();
    },
    async shrink(conversation, maxCharacters) {
      const kept = conversations.get(conversation);
      if (kept === undefined || kept.characters <= maxCharacters) return;
      for (const message of kept.numbers) {
        if (kept.characters <= maxCharacters) break;
        kept.remove(message);
      }
      kept.tidy();
    },
    async expire(before) {
      for (const [conversation, { changed }] of conversations)
        if (changed < before) conversations.delete(conversation);
    },
    close: async () => conversations.clear(),
  };
}

/**
 * An archive in memory: what it holds is gone with the process.
 * @throws ConfigError for options that cannot work
 */
export function memoryArchive(options: ArchiveOptions = {}): Archive {
  return archiveOn(memoryStore(), options);
}
