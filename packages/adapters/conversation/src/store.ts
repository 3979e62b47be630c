/** Where conversations are kept that are dropped from memory. Values are JSON texts; `get` gives back what was set last and everything appended since. */
export interface Store {
  get(key: string): Promise<string | undefined>;
  /** Puts a text in the place of what is there. */
  set(key: string, value: string): Promise<void>;
  /** Adds a text at the end of what is there. */
  append(key: string, value: string): Promise<void>;
}

/** Keeps everything in memory, for tests and for processes that end. */
export function memoryStore(): Store {
  const values = new Map<string, string>();
  return {
    get: async (key) => values.get(key),
    set: async (key, value) => {
      values.set(key, value);
    },
    append: async (key, value) => {
      values.set(key, (values.get(key) ?? '') + value);
    },
  };
}

/** The part of an `unstorage` instance that is used, so that any of its drivers can keep conversations. */
export interface UnstorageLike {
  getItemRaw(key: string): Promise<unknown>;
  setItemRaw(key: string, value: string): Promise<void>;
}

/** A store on a storage of `unstorage`, which can't append: each write puts the whole text. */
export function unstorageStore(storage: UnstorageLike): Store {
  const get = async (key: string) => {
    const value = await storage.getItemRaw(key);
    if (value === null || value === undefined) return undefined;
    return value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value);
  };
  return {
    get,
    set: (key, value) => storage.setItemRaw(key, value),
    append: async (key, value) => storage.setItemRaw(key, ((await get(key)) ?? '') + value),
  };
}

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
