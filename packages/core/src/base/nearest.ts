/**
 * The candidate closest to a name, for "did you mean". A candidate is close if few letters differ, and no more than are the
 * same, or if it is the only one that begins with the name. Undefined if none is close.
 */
export function nearest(given: string, candidates: Iterable<string>): string | undefined {
  const name = given.slice(0, 100);
  let best: string | undefined;
  let least = Math.max(2, Math.ceil(name.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    const isNear = 2 * distance <= Math.max(name.length, Math.min(candidate.length, 100));
    if (isNear && distance < least) [best, least] = [candidate, distance];
  }
  return best ?? longer(name.toLowerCase(), candidates);
}

/** The candidate that begins with the name, if the name has at least four characters and only one does. */
function longer(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length < 4) return undefined;
  const found = [...candidates].filter((candidate) => candidate.toLowerCase().startsWith(name));
  return found.length === 1 ? found[0] : undefined;
}

function editDistance(a: string, b: string): number {
  const [from, to] = [a.slice(0, 100), b.slice(0, 100)];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (row[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[to.length] as number;
}
