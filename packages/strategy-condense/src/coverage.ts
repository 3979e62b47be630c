import type { Candidate } from './candidates.js';

/** The worth of each term. It grows with the number of lines that contain the term, but is 0 for very common terms. */
function termWeights(candidates: readonly Candidate[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { terms } of candidates) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const common = Math.max(3, candidates.length * 0.2);
  return new Map(
    [...counts].map(([term, count]) => {
      const isName = /[_$./\d]/.test(term);
      if (count > common) return [term, 0];
      return [term, (isName ? 2 : 1) * Math.log2(1 + count)];
    }),
  );
}

/** At most this many rounds of coverage while there is room. After that, lines are added by their worth alone. */
const rounds = 6;

/**
 * Chooses the lines that are worth most per token. The first round covers the terms of `said`. While there is room, further rounds cover
 * the terms of `said` and `found` again. At the end, adds whatever fits.
 */
export function choose(
  said: readonly Candidate[],
  found: readonly Candidate[],
  roomTokens: number,
): readonly Candidate[] {
  const selection = new Selection(roomTokens);
  selection.cover(worthsOf(said));
  const all = worthsOf([...said, ...found]);
  for (let round = 1; round < rounds; round += 1) if (!selection.cover(all)) break;
  selection.fill(all);
  return selection.chosen;
}

interface Worths {
  readonly weights: ReadonlyMap<string, number>;
  /** The candidates in order, each with the gain per token that it has while nothing is covered. */
  readonly entries: readonly Entry[];
  /** The same entries, sorted by gain. */
  readonly ascending: readonly Entry[];
}

interface Entry {
  readonly candidate: Candidate;
  readonly gain: number;
}

function worthsOf(candidates: readonly Candidate[]): Worths {
  const weights = termWeights(candidates);
  const nothing = new Set<string>();
  const entries = candidates.map((candidate) => ({ candidate, gain: gainOf(candidate, weights, nothing) }));
  return { weights, entries, ascending: entries.toSorted((a, b) => a.gain - b.gain) };
}

function gainOf(
  { terms, tokens, weight }: Candidate,
  weights: ReadonlyMap<string, number>,
  covered: ReadonlySet<string>,
): number {
  let gain = 0;
  for (const term of terms) if (!covered.has(term)) gain += weights.get(term) ?? 0;
  return (weight * gain) / Math.max(1, tokens);
}

class Selection {
  readonly #chosen = new Set<Candidate>();
  #left: number;

  constructor(roomTokens: number) {
    this.#left = roomTokens;
  }

  get chosen(): readonly Candidate[] {
    return [...this.#chosen];
  }

  /** Covers each term once, evaluated lazily. Returns false if nothing was added. */
  cover({ weights, ascending }: Worths): boolean {
    const before = this.#chosen.size;
    const covered = new Set<string>();
    const queue = ascending.filter(({ candidate }) => this.#fits(candidate));
    for (let best = queue.pop(); best !== undefined && this.#left > 0; best = queue.pop()) {
      const gain = gainOf(best.candidate, weights, covered);
      // Gains only fall as more is covered, so a candidate that still leads is ahead of all others.
      if (gain < (queue.at(-1)?.gain ?? 0)) {
        insert(queue, { candidate: best.candidate, gain });
        continue;
      }
      if (gain === 0) break;
      if (!this.#take(best.candidate)) continue;
      for (const term of best.candidate.terms) covered.add(term);
    }
    return this.#chosen.size > before;
  }

  /** Adds the candidates that are worth most per token, regardless of coverage, until nothing fits. */
  fill({ entries }: Worths): void {
    const fitting = entries.filter(({ candidate }) => this.#fits(candidate));
    for (const { candidate } of fitting.toSorted((a, b) => b.gain - a.gain)) this.#take(candidate);
  }

  #fits(candidate: Candidate): boolean {
    return candidate.tokens <= this.#left && !this.#chosen.has(candidate);
  }

  #take(candidate: Candidate): boolean {
    if (candidate.tokens > this.#left) return false;
    this.#left -= candidate.tokens;
    this.#chosen.add(candidate);
    return true;
  }
}

function insert(queue: Entry[], entry: Entry): void {
  let [low, high] = [0, queue.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((queue[middle] as Entry).gain < entry.gain) low = middle + 1;
    else high = middle;
  }
  queue.splice(low, 0, entry);
}
