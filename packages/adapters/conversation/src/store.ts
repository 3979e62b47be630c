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
