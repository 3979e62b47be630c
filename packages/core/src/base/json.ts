interface Inner {
  /** Its name in an object; undefined in a list and for the outermost value. */
  readonly key: string | undefined;
  /** True for the first of an object's or a list's values, and for the outermost. */
  readonly first: boolean;
  readonly value: unknown;
}

/**
 * A value and every value in it, each before those in it, however deep. An object that is met again, as in a cycle,
 * is not entered again.
 */
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
      waiting.push({ key: Array.isArray(outer) ? undefined : key, first: at === 0, value: item });
    }
  }
}

/** No entries where a getter or a proxy throws. */
function entriesOf(value: object): [string, unknown][] {
  try {
    return Object.entries(value);
  } catch {
    return [];
  }
}

/** A value as the model would write it: keys and unescaped strings, not JSON. Never throws. */
export function decodedText(value: unknown): string {
  const pieces: string[] = [];
  for (const { key, first, value: item } of valuesIn(value)) {
    if (!first) pieces.push('\n');
    if (key !== undefined) pieces.push(`${key}: `);
    if (typeof item === 'object' && item !== null) continue;
    if (item !== undefined) pieces.push(String(item));
  }
  return pieces.join('');
}

/** The JSON of a value; of one that has none (a cycle, a BigInt, too deep) its keys and texts. Never throws. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return decodedText(value);
  }
}

/**
 * A value as plain JSON of its own, so that nothing done to the original later changes it; what is no JSON, or more than `maxCharacters` of
 * it, is a string that shows its beginning. Never throws.
 */
export function plainCopy(value: unknown, maxCharacters = 100_000): unknown {
  try {
    const text = JSON.stringify(value);
    if (text !== undefined && text.length <= maxCharacters) return JSON.parse(text);
  } catch {}
  return decodedText(value).slice(0, 200);
}
