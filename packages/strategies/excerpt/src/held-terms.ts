/** For each term, how many texts contain it (at most 255), after these texts' terms are added. */
export function heldWith(held: Uint8Array, terms: Iterable<ArrayLike<number>>): Uint8Array {
  const more = held.slice();
  hold(more, terms);
  return more;
}

/** Adds these texts' terms to the numbers of texts that contain each term. */
export function hold(held: Uint8Array, terms: Iterable<ArrayLike<number>>): void {
  for (const some of terms)
    for (let at = 0; at < some.length; at += 1) {
      const term = some[at] as number;
      held[term] = Math.min(255, (held[term] as number) + 1);
    }
}
