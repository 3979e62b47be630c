/** The factor by which a full array grows. */
const growth = 1.5;

/** A longer copy of an array, with room for at least `least` entries. */
export function grownBytes(array: Uint8Array, least: number) {
  const larger = new Uint8Array(roomFor(array, least));
  larger.set(array);
  return larger;
}

export function grownUnits(array: Uint16Array, least: number) {
  const larger = new Uint16Array(roomFor(array, least));
  larger.set(array);
  return larger;
}

export function grownInts(array: Int32Array, least: number) {
  const larger = new Int32Array(roomFor(array, least));
  larger.set(array);
  return larger;
}

export function grownDoubles(array: Float64Array, least: number) {
  const larger = new Float64Array(roomFor(array, least));
  larger.set(array);
  return larger;
}

function roomFor({ length }: { readonly length: number }, least: number): number {
  return Math.max(least, Math.ceil(length * growth));
}
