/** The smallest items, as many as fit into a limit, in their given order. */
export function smallestWithin<Item>(
  items: readonly Item[],
  limit: number,
  sizeOf: (item: Item) => number,
): readonly Item[] {
  const taken = new Set<number>();
  let total = 0;
  const order = items.map((item, index) => ({ size: sizeOf(item), index }));
  for (const { size, index } of order.sort((a, b) => a.size - b.size || a.index - b.index)) {
    if (!(total + size <= limit)) break;
    total += size;
    taken.add(index);
  }
  return items.filter((_item, index) => taken.has(index));
}
