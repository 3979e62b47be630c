import type { ContextManager, ManagerOptions, TranscriptMessage } from '@ctx/core';
import { parseJson, stringifyJson } from '@ctx/core/codec';
import { restore } from '@ctx/presets';
import { fromBase64, gunzipped, gzipped, toBase64 } from './seal.js';
import type { Store } from './store.js';

type Line =
  /** Compressed and as base64, or what no version of ours has written. */
  | { readonly snapshot: unknown }
  | { readonly messages: readonly Pick<TranscriptMessage, 'id' | 'message' | 'createdAt'>[] };

/**
 * Keeps a manager in a store as lines of JSON: a compressed snapshot, then the messages that came since. While the conversation only grows, a save
 * writes what is new; after a compression, an excerpt, an undo or a rewind it writes a new snapshot.
 */
export class SavedConversation {
  #saved: ReturnType<typeof standingOf> | undefined;
  #queue: Promise<void> = Promise.resolve();

  constructor(
    readonly store: Store,
    readonly key: string,
  ) {}

  /**
   * The manager as it was saved last; undefined if it never was. A last line that was cut off is skipped.
   * @throws CtxError `snapshot-invalid` for a text that is not a saved conversation; whatever the store throws
   */
  async load(options: ManagerOptions): Promise<ContextManager | undefined> {
    const text = await this.store.get(this.key);
    if (text === undefined || text === '') return undefined;
    const lines = linesOf(text);
    const last = lines.findLastIndex((line) => 'snapshot' in line);
    const whole = lines[last];
    const manager = restore(await snapshotIn(whole), options);
    const length = manager.transcript.length;
    const known = new Set(manager.transcript.map(({ id }) => id));
    const added = lines.slice(last + 1).flatMap((line) => ('messages' in line ? line.messages : []));
    for (const { id, message, createdAt } of added) {
      // Another process may have written it too.
      if (known.has(id)) continue;
      known.add(id);
      manager.append({ ...message, id: message.id ?? id, createdAt: message.createdAt ?? createdAt });
    }
    this.#saved = { ...standingOf(manager), length: Math.max(length, manager.transcript.length) };
    return manager;
  }

  /** Whether a compression or an excerpt is not written yet. */
  lacksChanges(manager: ContextManager): boolean {
    const { epoch, excerpts } = standingOf(manager);
    return epoch !== (this.#saved?.epoch ?? 0) || excerpts !== (this.#saved?.excerpts ?? '');
  }

  /** Writes what has changed; one write at a time. Whatever the store throws. */
  save(manager: ContextManager): Promise<void> {
    const write = this.#queue.then(() => this.#write(manager));
    this.#queue = write.catch(() => undefined);
    return write;
  }

  async #write(manager: ContextManager): Promise<void> {
    const { transcript } = manager;
    const before = this.#saved;
    const now = standingOf(manager);
    const isSame = before?.epoch === now.epoch && before.excerpts === now.excerpts;
    const isLonger = before !== undefined && isSame && before.length <= now.length;
    if (isLonger && before.length === now.length) return;
    const line: Line = isLonger
      ? {
          messages: transcript
            .slice(before.length)
            .map(({ id, message, createdAt }) => ({ id, message, createdAt })),
        }
      : { snapshot: toBase64(await gzipped(stringifyJson(manager.snapshot()))) };
    const text = `${stringifyJson(line)}\n`;
    await (isLonger ? this.store.append(this.key, text) : this.store.set(this.key, text));
    this.#saved = now;
  }
}

const standingOf = (manager: ContextManager) => ({
  epoch: manager.epoch,
  excerpts: excerptsIn(manager),
  length: manager.transcript.length,
});

/** The ids of the messages that are sent as excerpts because they were too large when they arrived. */
export function excerptsIn({ transcript }: ContextManager): string {
  return transcript.flatMap(({ id, excerpt }) => (excerpt === undefined ? [] : id)).join();
}

async function snapshotIn(line: Line | undefined): Promise<unknown> {
  if (line === undefined || !('snapshot' in line)) return undefined;
  const { snapshot } = line;
  return typeof snapshot === 'string' ? parseJson(await gunzipped(fromBase64(snapshot))) : snapshot;
}

function linesOf(text: string): Line[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.flatMap((line, at) => {
    try {
      const value: unknown = parseJson(line);
      return typeof value === 'object' && value !== null ? [value as Line] : [];
    } catch (error) {
      if (at === lines.length - 1 && at > 0) return [];
      throw error;
    }
  });
}
