import { withNumbersOf } from './exact-json.js';
import { isPlain } from './native.js';

type Inner = Record<string | number, unknown>;

/**
 * Frozen copies of objects, for code that may read them but must not change them. Texts are shared, and so is whatever is neither a plain
 * object nor a list, such as bytes. An object always has the same copy.
 */
export class FrozenCopies {
  readonly #copies = new WeakMap<object, object>();

  of<Original extends object>(original: Original): Original {
    const known = this.#copies.get(original);
    if (known !== undefined) return known as Original;
    const copy = this.#copied(original, new Map());
    this.#copies.set(original, copy);
    return copy;
  }

  /** @param made copies of what was met before: an object may contain itself, or another one twice */
  #copied<Value extends object>(value: Value, made: Map<object, object>): Value {
    const known = made.get(value);
    if (known !== undefined) return known as Value;
    if (!Array.isArray(value) && !isPlain(value)) return value;
    const copy = (Array.isArray(value) ? withNumbersOf(value, [...value]) : { ...value }) as Inner;
    made.set(value, copy);
    const keys = Array.isArray(copy) ? copy.keys() : Object.keys(copy);
    for (const key of keys) {
      const inner = copy[key];
      if (typeof inner === 'object' && inner !== null) copy[key] = this.#copied(inner, made);
    }
    return Object.freeze(copy) as Value;
  }
}
