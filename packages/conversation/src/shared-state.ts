import type { ContextManager, ManagerOptions, Message } from '@ctx/core';
import { seal, unseal } from './sealed.js';
import { managerOf, stateOf } from './state-form.js';
import type { StateStore } from './state-store.js';

/** The part of a conversation that several processes have in common, and what this one knows of it. */
export class SharedState {
  #version = 0;
  /** The records that the stored state has. */
  #records = '';

  constructor(
    readonly store: StateStore,
    readonly key: string,
    /** What only those know who have the conversation and its credentials: with it the state is sealed. */
    readonly secret: string,
  ) {}

  /**
   * The manager that another process has left, if it left one since this one looked last, and if the history goes on from there. Throws what
   * the store throws.
   */
  async newer(history: readonly Message[], options: ManagerOptions): Promise<ContextManager | undefined> {
    const stored = await this.store.get(this.key);
    if (stored === undefined || stored.version === this.#version) return undefined;
    this.#version = stored.version;
    this.#records = '?';
    const manager = managerOf(await unseal(stored.value, this.secret), history, options);
    if (manager !== undefined) this.#records = recordsOf(manager);
    return manager;
  }

  /** Stores the records of a manager, if they are others than before. False if another process has stored some since. */
  async save(manager: ContextManager, history: readonly Message[]): Promise<boolean> {
    const records = recordsOf(manager);
    if (records === this.#records) return true;
    const version = this.#version + 1;
    const value = await seal(stateOf(manager, history), this.secret);
    if (!(await this.store.put(this.key, value, version))) return false;
    this.#version = version;
    this.#records = records;
    return true;
  }
}

const recordsOf = ({ history }: ContextManager) => history.map(({ id }) => id).join(' ');
