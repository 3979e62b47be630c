import type { Random } from './random.js';

const odd: readonly unknown[] = [
  null,
  undefined,
  0,
  -1,
  Number.NaN,
  '',
  'text',
  [],
  {},
  [[]],
  true,
  1n,
  Symbol.iterator,
  () => 1,
  new Date(0),
  new Map(),
  { type: 'text' },
  { type: 7 },
  { role: 'user' },
];

/** A copy of a value in which a few things are replaced by something that does not belong there. */
export function spoiled(value: unknown, random: Random): unknown {
  const times = random.int(1, 3);
  let result = value;
  for (let time = 0; time < times; time += 1) result = spoiledOnce(result, random);
  return result;
}

function spoiledOnce(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.15)) return strange(random);
  if (Array.isArray(value)) {
    if (value.length === 0) return [strange(random)];
    const at = random.int(0, value.length - 1);
    return random.chance(0.1) ? value.toSpliced(at, 1) : value.with(at, spoiledOnce(value[at], random));
  }
  const keys = Object.keys(value);
  const key = keys.length === 0 ? 'role' : random.pick(keys);
  if (random.chance(0.15)) return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
  return { ...value, [key]: spoiledOnce((value as Record<string, unknown>)[key], random) };
}

function strange(random: Random): unknown {
  if (random.chance(0.04)) return cycle();
  if (random.chance(0.03)) return deep();
  return random.pick(odd);
}

function cycle(): unknown {
  const round: Record<string, unknown> = { type: 'text', text: 'round' };
  round.self = round;
  return round;
}

function deep(): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < 3000; level += 1) value = [value];
  return value;
}
