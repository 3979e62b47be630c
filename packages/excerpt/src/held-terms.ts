/** For each term, how many texts contain it (at most 255), after these texts' terms are added. */
export function heldWith(held: Uint8Array, terms: Iterable<readonly number[]>): Uint8Array {
  const more = held.slice();
  for (const some of terms) for (const term of some) more[term] = Math.min(255, (more[term] as number) + 1);
  return more;
}
