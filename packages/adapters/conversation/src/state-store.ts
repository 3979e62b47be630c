/** A state, and how often there was another one before it. */
interface StoredState {
  /** Counted from 1. */
  readonly version: number;
  /** Sealed: nobody can read it who does not have the conversation and its credentials. */
  readonly value: string;
}

/**
 * Where several processes keep what they have to agree on about a conversation: its compressions. Values are small and hold no message, as
 * each request brings the whole history, and they are sealed.
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
