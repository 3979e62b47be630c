import { numberText, parseJson, stringifyJson } from './exact-json.js';

interface Inner {
  /** The key in an object; undefined for list items and the outermost value. */
  readonly key: string | undefined;
  /** True for the first value of an object or list, and for the outermost value. */
  readonly first: boolean;
  readonly value: unknown;
  /** How a number was written, if otherwise than JavaScript writes it. */
  readonly number?: string | undefined;
}

/** Yields a value and all values inside it, outer values first, at any depth. Enters each object only once, so cycles end. */
export function* valuesIn(value: unknown): Generator<Inner> {
  const entered = new Set<object>();
  const waiting: Inner[] = [{ key: undefined, first: true, value }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next;
    const { value: outer } = next;
    if (typeof outer !== 'object' || outer === null || entered.has(outer)) continue;
    entered.add(outer);
    const inner = entriesOf(outer);
    for (let at = inner.length - 1; at >= 0; at -= 1) {
      const [key, item] = inner[at] as [string, unknown];
      waiting.push({
        key: Array.isArray(outer) ? undefined : key,
        first: at === 0,
        value: item,
        number: numberText(outer, key),
      });
    }
  }
}

/** Empty if a getter or a proxy throws. */
export function entriesOf(value: object): [string, unknown][] {
  try {
    return Object.entries(value);
  } catch {
    return [];
  }
}

/** A value as the model would write it: keys and unescaped strings rather than JSON. Never throws. */
export function decodedText(value: unknown): string {
  const pieces: string[] = [];
  for (const { key, first, value: item, number } of valuesIn(value)) {
    if (!first) pieces.push('\n');
    if (key !== undefined) pieces.push(`${key}: `);
    if (typeof item === 'object' && item !== null) continue;
    if (item !== undefined) pieces.push(number ?? String(item));
  }
  return pieces.join('');
}

/** The JSON of a value. If there is none (a cycle, a BigInt, too deep), its keys and texts. Never throws. */
export function jsonText(value: unknown): string {
  try {
    return stringifyJson(value) ?? '';
  } catch {
    return decodedText(value);
  }
}

/** Copies a value as plain JSON; undefined if it has none (a cycle, a BigInt, too deep). Never throws. */
export function jsonCopy(value: unknown, maxCharacters = Number.POSITIVE_INFINITY): unknown {
  try {
    const text = stringifyJson(value);
    return text === undefined || text.length > maxCharacters ? undefined : parseJson(text);
  } catch {
    return undefined;
  }
}

/**
 * Copies a value as plain JSON, so that later changes to the original do not show. A value that has no JSON, or more
 * than `maxCharacters` of it, becomes a string of its first 200 characters. Never throws.
 */
export function plainCopy(value: unknown, maxCharacters = 100_000): unknown {
  return jsonCopy(value, maxCharacters) ?? decodedText(value).slice(0, 200);
}
