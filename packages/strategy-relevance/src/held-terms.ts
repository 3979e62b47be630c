/** Counts of how often each term is held, at most 255, with these lists of terms added. */
export function heldWith(held: Uint8Array, terms: Iterable<readonly number[]>): Uint8Array {
  const more = held.slice();
  for (const some of terms) for (const term of some) more[term] = Math.min(255, (more[term] as number) + 1);
  return more;
}
