import fc from 'fast-check';

const junk = fc.constantFrom<unknown[]>(null, 7, '', 'x', true, [], {}, [null], [{}], { type: 'text' }, [
  { type: 'text', text: 5 },
]);

/** Records of which some values, at any depth, are something else, and some records are gone, repeated or at another place. */
export function damaged(records: readonly object[]): fc.Arbitrary<object[]> {
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat(), junk), { minLength: 1, maxLength: 3 });
  const order = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.constantFrom('drop', 'repeat', 'move')), {
    maxLength: 2,
  });
  return fc.tuple(changes, order).map(([values, moves]) => {
    const list = structuredClone([...records]);
    for (const [record, place, value] of values) replaceAt(list[record % list.length], place, value);
    for (const [from, to, how] of moves) {
      const [one] = list.slice(from % list.length);
      if (one === undefined) continue;
      if (how !== 'repeat') list.splice(from % list.length, 1);
      if (how !== 'drop') list.splice(to % (list.length + 1), 0, one);
    }
    return list.length > 0 ? list : [...records];
  });
}

/** Replaces one of all values in an object, counted in order. */
function replaceAt(root: unknown, place: number, value: unknown): void {
  const slots: (readonly [holder: Record<string, unknown>, key: string])[] = [];
  const visit = (holder: unknown): void => {
    if (typeof holder !== 'object' || holder === null) return;
    for (const key of Object.keys(holder)) {
      slots.push([holder as Record<string, unknown>, key]);
      visit((holder as Record<string, unknown>)[key]);
    }
  };
  visit(root);
  const slot = slots[place % Math.max(slots.length, 1)];
  if (slot !== undefined) slot[0][slot[1]] = structuredClone(value);
}
