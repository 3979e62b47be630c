/** What a function that remembers keeps its values in: a WeakMap forgets them with their keys. */
interface Memory<Key, Value> {
  get(key: Key): Value | undefined;
  has(key: Key): boolean;
  set(key: Key, value: Value): unknown;
}

/** A function that makes the value of a key once. */
export function remembered<Key, Value>(
  make: (key: Key) => Value,
  known: Memory<Key, NoInfer<Value>>,
): (key: Key) => Value {
  return (key) => {
    if (known.has(key)) return known.get(key) as Value;
    const value = make(key);
    known.set(key, value);
    return value;
  };
}
