import { digest, RecentMap, type StateStore, seal, unseal } from '@ctx/conversation';
import { parseJson, stringifyJson } from '@ctx/core/codec';
import type { HiddenRecord } from './hidden-records.js';

/** What has to be known of a conversation that was offered the hidden tool. */
export interface HiddenState {
  /** False for a conversation that began without it: the tools of a running one never change. */
  readonly isOffered: boolean;
  readonly records: readonly HiddenRecord[];
}

/** Conversations that are remembered; with a store the others are found there. */
const mostConversations = 1_000;
/** A second process that writes the same conversation at the same time is waited for this often. */
const mostAttempts = 3;

/**
 * Keeps what has to be known of conversations with a hidden tool: in memory, and sealed in the store of states, if there is one. Where that
 * fails, what is in memory counts.
 */
export class HiddenStates {
  readonly #known = new RecentMap<string, HiddenState>(mostConversations);

  /** @param failed is told that the store could not be read or written */
  constructor(
    readonly states: StateStore | undefined,
    readonly failed: (verb: string) => void,
  ) {}

  /** @param id what only those know who have the conversation and its credentials */
  async get(id: string): Promise<HiddenState | undefined> {
    const key = await keyOf(id);
    try {
      const stored = await this.states?.get(key);
      if (stored !== undefined)
        this.#known.set(key, parseJson(await unseal(stored.value, id)) as HiddenState);
    } catch {
      this.failed('read from');
    }
    return this.#known.get(key);
  }

  /** @param of the state after the one before; it may be asked again if another process was quicker */
  async change(id: string, of: (before: HiddenState | undefined) => HiddenState): Promise<void> {
    const key = await keyOf(id);
    if (this.states === undefined) {
      this.#known.set(key, of(this.#known.get(key)));
      return;
    }
    try {
      for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
        const version = ((await this.states.get(key))?.version ?? 0) + 1;
        const state = of(await this.get(id));
        this.#known.set(key, state);
        if (await this.states.put(key, await seal(stringifyJson(state), id), version)) return;
      }
    } catch {
      this.#known.set(key, of(this.#known.get(key)));
      this.failed('written to');
    }
  }
}

const keyOf = async (id: string) => `hidden-${(await digest(id)).slice(0, 32)}`;
