import { seededRandom } from '@ctx/core';

/** A figure of one cut, with its session and source. */
export interface Sample {
  readonly source: string;
  readonly session: string;
  readonly value: number;
}

export interface Average {
  readonly mean: number;
  /** Standard error by bootstrap over the sessions of each source. */
  readonly error: number;
  readonly count: number;
}

/** The mean over cuts, then sessions, then sources, so that every source counts the same. Undefined without samples. */
export function averageOf(samples: readonly Sample[], { runs = 200, seed = 1 } = {}): Average | undefined {
  if (samples.length === 0) return undefined;
  const sources = [...grouped(samples, ({ source }) => source).values()].map((ofSource) =>
    [...grouped(ofSource, ({ session }) => session).values()].map((cuts) =>
      mean(cuts.map(({ value }) => value)),
    ),
  );
  const random = seededRandom(seed);
  const resampled = Array.from({ length: runs }, () =>
    mean(
      sources.map((sessions) =>
        mean(sessions.map(() => sessions[Math.floor(random() * sessions.length)] as number)),
      ),
    ),
  );
  const centre = mean(resampled);
  return {
    mean: mean(sources.map(mean)),
    error: Math.sqrt(mean(resampled.map((value) => (value - centre) ** 2))),
    count: samples.length,
  };
}

/** The average of a figure of results, without those that have none. */
export function averaged<Item extends Omit<Sample, 'value'>>(
  items: readonly Item[],
  pick: (item: Item) => number | undefined,
): Average | undefined {
  return averageOf(
    items.flatMap((item) => {
      const value = pick(item);
      return value === undefined ? [] : [{ source: item.source, session: item.session, value }];
    }),
  );
}

/** Items by what they have in common, each group at the place of its first item. */
export function grouped<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): Map<Key, [Item, ...Item[]]> {
  const groups = new Map<Key, [Item, ...Item[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
