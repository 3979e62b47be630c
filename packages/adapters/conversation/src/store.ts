/** A state, and how often there was another one before it. */
interface StoredState {
  /** Counted from 1. */
  readonly version: number;
  /** Sealed: nobody can read it who does not have the conversation and its credentials. */
  readonly value: string;
}

/**
 * Where it is kept what a request does not bring: the compressions of its conversation, and what was said in message threads. For other
 * processes, and for this one after a restart or when the conversation has left memory. Values are sealed.
 */
export interface StateStore {
  get(key: string): Promise<StoredState | undefined>;
  /**
   * Puts a state in the place of the one before it.
   * @param version that of the new state: 1 if there was none, otherwise one more than that of the state that it replaces
   * @returns false, with nothing changed, if what is there has another version: another process was quicker
   */
  put(key: string, value: string, version: number): Promise<boolean>;
}

/** Keeps states in memory, for tests and for conversations that share a process. */
export function memoryStateStore(): StateStore {
  const states = new Map<string, StoredState>();
  return {
    get: async (key) => states.get(key),
    put: async (key, value, version) => {
      if ((states.get(key)?.version ?? 0) !== version - 1) return false;
      states.set(key, { version, value });
      return true;
    },
  };
}
