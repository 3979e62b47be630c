import { isFields } from '../base/native.js';

/** An id, or the first and last numbers of consecutive ids such as `m3`. */
type Packed = string | readonly [first: number, last: number];

const key = 'ctx:ids';

/** Shorter runs of ids are written out. */
const leastRun = 3;

/**
 * Packs a list of ids for JSON. Consecutive ids such as `m3`, `m4`, `m5` become a pair of numbers. Any other value is
 * returned unchanged.
 */
export function packedIds(ids: unknown): unknown {
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string')) return ids;
  const packed: Packed[] = [];
  for (let at = 0; at < ids.length; ) {
    const first = numberOf(ids[at]);
    let length = 1;
    while (first !== undefined && ids[at + length] === `m${first + length}`) length += 1;
    if (first !== undefined && length >= leastRun) packed.push([first, first + length - 1]);
    else packed.push(...ids.slice(at, at + length));
    at += length;
  }
  return packed.length < ids.length ? { [key]: packed } : ids;
}

/**
 * Reverses `packedIds`.
 * @param limit the most ids that a pair may stand for
 */
export function unpackedIds(value: unknown, limit: number): unknown {
  const packed = isFields(value) ? value[key] : undefined;
  if (!Array.isArray(packed)) return value;
  return packed.flatMap((one) => {
    if (!isRun(one, limit)) return [one];
    const [first, last] = one;
    return Array.from({ length: last - first + 1 }, (_, offset) => `m${first + offset}`);
  });
}

function numberOf(id: unknown): number | undefined {
  const digits = typeof id === 'string' ? /^m([1-9]\d{0,14})$/.exec(id)?.[1] : undefined;
  return digits === undefined ? undefined : Number(digits);
}

function isRun(one: unknown, limit: number): one is readonly [number, number] {
  if (!Array.isArray(one) || one.length !== 2 || !one.every(Number.isSafeInteger)) return false;
  const [first, last] = one as [number, number];
  return first <= last && last - first < limit;
}
