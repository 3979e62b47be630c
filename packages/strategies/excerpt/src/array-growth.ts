/** The factor by which a full array grows. */
const growth = 1.5;

interface Numbers extends ArrayLike<number> {
  set(numbers: ArrayLike<number>): void;
}

/** A longer copy of a typed array, with room for at least `least` entries. */
export function grown<A extends Numbers>(array: A, least: number): A {
  const Same = array.constructor as new (length: number) => A;
  const longer = new Same(Math.max(least, Math.ceil(array.length * growth)));
  longer.set(array);
  return longer;
}
