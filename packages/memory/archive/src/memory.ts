import type { Archive } from '@ctx/core';
import { archiveOn } from './archive.js';
import { conflict } from './archive-errors.js';
import type { ArchiveOptions } from './checks.js';
import { MemoryIndex } from './search/memory-index.js';
import type { IndexedPart, Passage, PassageStore } from './store.js';

/**
 * An archive in memory: what it holds is gone with the process.
 * @throws ConfigError for options that cannot work
 */
export function memoryArchive(options: ArchiveOptions = {}): Archive {
  return archiveOn(memoryStore(), options);
}

function memoryStore(): PassageStore {
  const conversations = new Map<string, Kept>();
  return {
    async put(conversation, parts, now) {
      const kept = conversations.get(conversation) ?? new Kept();
      for (const part of parts.filter((one) => !kept.has(one))) kept.add(part);
      kept.changed = now;
      conversations.set(conversation, kept);
    },
    message: async (conversation, message) => conversations.get(conversation)?.passagesOf(message) ?? [],
    search: async (conversation, terms, filter, most) =>
      conversations.get(conversation)?.index.search(terms, filter, most) ?? { hits: [], terms: [] },
    async forget(conversation, from, to) {
      if (from <= 1 && to === Infinity) conversations.delete(conversation);
      conversations.get(conversation)?.forget(from, to);
    },
    async expire(before) {
      for (const [conversation, { changed }] of conversations)
        if (changed < before) conversations.delete(conversation);
    },
    close: async () => conversations.clear(),
  };
}

interface KeptPart {
  readonly digest: number;
  /** The numbers of its passages in the index. */
  readonly passages: readonly number[];
}

/** What is kept of one conversation. */
class Kept {
  readonly index = new MemoryIndex();
  readonly messages = new Map<number, Map<number, KeptPart>>();
  changed = 0;

  has({ message, part, digest }: IndexedPart): boolean {
    const kept = this.messages.get(message)?.get(part);
    if (kept !== undefined && kept.digest !== digest) throw conflict(message);
    return kept !== undefined;
  }

  add({ message, part, digest, passages }: IndexedPart): void {
    const parts = this.messages.get(message) ?? new Map<number, KeptPart>();
    this.messages.set(message, parts);
    parts.set(part, { digest, passages: passages.map((one) => this.index.add(one)) });
  }

  passagesOf(message: number): Passage[] {
    const parts = [...(this.messages.get(message) ?? [])].sort(([a], [b]) => a - b);
    return parts.flatMap(([, { passages }]) => passages.flatMap((at) => this.index.at(at) ?? []));
  }

  forget(from: number, to: number): void {
    for (const [message, parts] of this.messages) {
      if (message < from || message > to) continue;
      for (const { passages } of parts.values()) for (const at of passages) this.index.remove(at);
      this.messages.delete(message);
    }
  }
}
