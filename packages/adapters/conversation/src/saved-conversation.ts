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
  #saved: { readonly epoch: number; readonly arrivals: number; readonly length: number } | undefined;
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
    for (const line of lines.slice(last + 1)) {
      if (!('messages' in line)) continue;
      for (const { id, message, createdAt } of line.messages)
        manager.append({ ...message, id: message.id ?? id, createdAt: message.createdAt ?? createdAt });
    }
    const { epoch, arrivals, transcript } = manager;
    this.#saved = { epoch, arrivals: arrivals.length, length: Math.max(length, transcript.length) };
    return manager;
  }

  /** Whether an excerpt is not written yet. */
  lacksArrivals({ arrivals }: ContextManager): boolean {
    return arrivals.length !== (this.#saved?.arrivals ?? 0);
  }

  /** Writes what has changed; one write at a time. Whatever the store throws. */
  save(manager: ContextManager): Promise<void> {
    const write = this.#queue.then(() => this.#write(manager));
    this.#queue = write.catch(() => undefined);
    return write;
  }

  async #write(manager: ContextManager): Promise<void> {
    const { epoch, transcript } = manager;
    const before = this.#saved;
    const now = { epoch, arrivals: manager.arrivals.length, length: transcript.length };
    const isSame = before?.epoch === epoch && before.arrivals === now.arrivals;
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
