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

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
