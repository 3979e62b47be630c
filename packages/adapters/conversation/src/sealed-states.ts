import { parseJson, stringifyJson } from '@ctx/core/codec';
import { RecentMap } from './recent-map.js';
import { digest, seal, unseal } from './seal.js';
import type { StateStore } from './store.js';

/** Values that are remembered; with a store the others are found there. */
const mostKnown = 1_000;
/** A second process that writes the same value at the same time is waited for this often. */
const mostAttempts = 3;

/**
 * Values that only those find who know their secret: in memory, and sealed in a store of states, if there is one. Where that fails, what is in
 * memory counts.
 */
export class SealedStates<Value> {
  readonly #known = new RecentMap<string, Value>(mostKnown);

  /**
   * @param kind begins the keys in the store
   * @param failed is told that the store could not be read or written
   */
  constructor(
    readonly kind: string,
    readonly states: StateStore | undefined,
    readonly failed: (verb: string) => void,
  ) {}

  /** @param isFixed true for a value that never changes: it need not be read again */
  async get(secret: string, isFixed = false): Promise<Value | undefined> {
    const key = await this.#keyOf(secret);
    const known = this.#known.get(key);
    if (this.states === undefined || (isFixed && known !== undefined)) return known;
    try {
      const stored = await this.states.get(key);
      if (stored !== undefined) this.#known.set(key, await read(stored.value, secret));
    } catch {
      this.failed('read from');
    }
    return this.#known.get(key);
  }

  /** @param of the value after the one before; it may be asked again if another process was quicker */
  async change(secret: string, of: (before: Value | undefined) => Value): Promise<void> {
    const key = await this.#keyOf(secret);
    try {
      for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
        const stored = await this.states?.get(key);
        const value = of(stored === undefined ? this.#known.get(key) : await read(stored.value, secret));
        this.#known.set(key, value);
        if (this.states === undefined) return;
        const sealed = await seal(stringifyJson(value), secret);
        if (await this.states.put(key, sealed, (stored?.version ?? 0) + 1)) return;
      }
    } catch {
      this.#known.set(key, of(this.#known.get(key)));
      this.failed('written to');
    }
  }

  async #keyOf(secret: string): Promise<string> {
    return `${this.kind}-${(await digest(secret)).slice(0, 32)}`;
  }
}

async function read<Value>(sealed: string, secret: string): Promise<Value> {
  return parseJson(await unseal(sealed, secret)) as Value;
}
