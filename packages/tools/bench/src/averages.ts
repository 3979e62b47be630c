/** A figure of one cut, with its session and source. */
export interface Sample {
  readonly source: string;
  readonly session: string;
  readonly value: number;
}

export interface Average {
  readonly mean: number;
  /** Standard error of the mean over sessions. Undefined for a single session, which says nothing about others. */
  readonly error: number | undefined;
  readonly sessions: number;
  /** Samples; a session may have several. */
  readonly count: number;
}

/** The mean over the sessions' means, so that each session counts once, however often it was cut. Undefined without samples. */
export function averageOf(samples: readonly Sample[]): Average | undefined {
  const means = [...sessionMeans(samples).values()];
  if (means.length === 0) return undefined;
  const centre = mean(means);
  const squares = means.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  return {
    mean: centre,
    error: means.length === 1 ? undefined : Math.sqrt(squares / (means.length - 1) / means.length),
    sessions: means.length,
    count: samples.length,
  };
}

/**
 * How much more the first samples have than the second, paired by session: what makes a session hard for both is not part of the error.
 * Sessions that only one of them has are left out. Undefined if they share none.
 */
export function pairedDifference(samples: readonly Sample[], others: readonly Sample[]): Average | undefined {
  const base = sessionMeans(others);
  return averageOf(
    [...sessionMeans(samples)].flatMap(([session, value]) => {
      const other = base.get(session);
      return other === undefined ? [] : [{ source: '', session, value: value - other }];
    }),
  );
}

function sessionMeans(samples: readonly Sample[]): Map<string, number> {
  const sessions = grouped(samples, ({ source, session }) => JSON.stringify([source, session]));
  return new Map([...sessions].map(([key, own]) => [key, mean(own.map(({ value }) => value))]));
}

/** The average of a figure of results, without those that have none. */
export function averaged<Item extends Omit<Sample, 'value'>>(
  items: readonly Item[],
  pick: (item: Item) => number | undefined,
): Average | undefined {
  return averageOf(samplesOf(items, pick));
}

/** A figure of results, without those that have none. */
export function samplesOf<Item extends Omit<Sample, 'value'>>(
  items: readonly Item[],
  pick: (item: Item) => number | undefined,
): Sample[] {
  return items.flatMap((item) => {
    const value = pick(item);
    return value === undefined ? [] : [{ source: item.source, session: item.session, value }];
  });
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
