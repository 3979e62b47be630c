import fc from 'fast-check';

const cycle: Record<string, unknown> = { type: 'text', text: 'round' };
cycle.self = cycle;
/** Deeper than a stack of calls. */
const deep = Array.from({ length: 3_000 }).reduce<unknown>((inner) => [inner], 'deep');

/** What stands nowhere in a conversation, or not in most of its places. */
const strange: readonly unknown[] = [
  ...[null, undefined, 0, -1, Number.NaN, '', 'text', true, 1n, Symbol.iterator],
  ...[[], {}, [[]], () => 1, new Date(0), new Map(), cycle, deep],
  ...[{ type: 'text' }, { type: 7 }, { role: 'user' }],
];

type Path = readonly (string | number)[];

/** Such values with a strange one in some place. */
export function spoiled(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return values.chain((value) =>
    fc
      .tuple(fc.constantFrom(...placesIn(value)), fc.constantFrom(...strange))
      .map(([place, other]) => withOther(value, place, other)),
  );
}

function placesIn(value: unknown, place: Path = []): Path[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [place, ...inner.flatMap(([key, one]) => placesIn(one, [...place, key]))];
}

function withOther(value: unknown, [key, ...rest]: Path, other: unknown): unknown {
  if (key === undefined) return other;
  const copy = Object.assign(Array.isArray(value) ? [] : {}, value) as Record<string, unknown>;
  copy[key] = withOther(copy[key], rest, other);
  return copy;
}
