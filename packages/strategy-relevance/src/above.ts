import type { Unit } from './units.js';
import { deepestUnder } from './weights.js';

/** The units that a unit depends on, nearest first, at most `deepestUnder`. */
export function aboveOf(unit: Unit): Unit[] {
  const above: Unit[] = [];
  for (let one = unit.under; one !== undefined && above.length < deepestUnder; one = one.under)
    above.push(one);
  return above;
}

/** Units and the units that they depend on, each once, in the order of the conversation. */
export function withAbove(units: readonly Unit[]): Unit[] {
  const all = new Set<Unit>();
  for (const unit of units) {
    for (const above of aboveOf(unit)) all.add(above);
    all.add(unit);
  }
  return [...all].sort((a, b) => a.section - b.section || a.block - b.block || a.start - b.start);
}

/** The position of the unit that each unit depends on; -1 for none. Ends chains after `deepestUnder` units. */
export function abovePositions(units: readonly Unit[]): Int32Array {
  const above = new Int32Array(units.length).fill(-1);
  if (!units.some(({ under }) => under !== undefined)) return above;
  const positions = new Map(units.map((unit, index) => [unit, index]));
  const depth = new Uint8Array(units.length);
  units.forEach(({ under }, index) => {
    const position = under === undefined ? undefined : positions.get(under);
    if (position === undefined || (depth[position] as number) >= deepestUnder) return;
    above[index] = position;
    depth[index] = (depth[position] as number) + 1;
  });
  return above;
}
