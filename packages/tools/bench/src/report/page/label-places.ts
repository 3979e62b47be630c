/** Moves values apart so that neighbours keep a gap, as far as the bounds allow; the order stays. */
export function spreadApart(values: readonly number[], gap: number, low: number, high: number): number[] {
  const order = values.map((_, at) => at).toSorted((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const placed = [...values];
  let floor = low;
  for (const at of order) {
    placed[at] = Math.max(placed[at] ?? low, floor);
    floor = (placed[at] ?? low) + gap;
  }
  let ceiling = high;
  for (const at of order.toReversed()) {
    placed[at] = Math.min(placed[at] ?? high, ceiling);
    ceiling = (placed[at] ?? high) - gap;
  }
  return placed;
}

/** A name cut to fit a chart; the tables show all of it. */
export function shortName(name: string, length = 30): string {
  return name.length > length ? `${name.slice(0, length - 1)}…` : name;
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A point with a name, in pixels. */
export interface NamedPoint {
  readonly x: number;
  readonly y: number;
  readonly name: string;
}

/** The place of a name, relative to its point. */
export interface LabelPlace {
  readonly dx: number;
  readonly dy: number;
  readonly textAnchor: 'start' | 'middle' | 'end';
}

const tries: readonly LabelPlace[] = [
  { dx: 11, dy: 0, textAnchor: 'start' },
  { dx: -11, dy: 0, textAnchor: 'end' },
  { dx: 0, dy: -15, textAnchor: 'middle' },
  { dx: 0, dy: 15, textAnchor: 'middle' },
  { dx: 9, dy: -13, textAnchor: 'start' },
  { dx: 9, dy: 13, textAnchor: 'start' },
  { dx: -9, dy: -13, textAnchor: 'end' },
  { dx: -9, dy: 13, textAnchor: 'end' },
  { dx: 0, dy: -30, textAnchor: 'middle' },
  { dx: 0, dy: 30, textAnchor: 'middle' },
];

/** Finds a place for each name that hides neither another name nor a point; undefined for a name without one. */
export function placeLabels(
  points: readonly NamedPoint[],
  bounds: Box,
  charWidth = 6.6,
): (LabelPlace | undefined)[] {
  const taken: Box[] = points.map(({ x, y }) => boxAround(x, y, 7, 7));
  return points.map((point, own) => {
    const half = (point.name.length * charWidth) / 2;
    const boxOf = ({ dx, dy, textAnchor }: LabelPlace) => {
      const middle = point.x + dx + (textAnchor === 'start' ? half : textAnchor === 'end' ? -half : 0);
      return boxAround(middle, point.y + dy, half, 8);
    };
    const cost = (place: LabelPlace) => {
      const box = boxOf(place);
      const hits = taken.filter((other, at) => at !== own && overlaps(box, other)).length;
      return hits + (isInside(box, bounds) ? 0 : 100);
    };
    const best = tries.reduce((a, b) => (cost(b) < cost(a) ? b : a));
    if (cost(best) > 0) return undefined;
    taken.push(boxOf(best));
    return best;
  });
}

const boxAround = (x: number, y: number, halfWidth: number, halfHeight: number): Box => ({
  left: x - halfWidth,
  right: x + halfWidth,
  top: y - halfHeight,
  bottom: y + halfHeight,
});

const overlaps = (a: Box, b: Box) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const isInside = (a: Box, b: Box) =>
  a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;
