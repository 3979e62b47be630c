import { growth } from './limits.js';

/** A longer copy of an array, with room for at least `least` entries. */
export function grownBytes(array: Uint8Array, least: number) {
  const larger = new Uint8Array(Math.max(least, Math.ceil(array.length * growth)));
  larger.set(array);
  return larger;
}

export function grownUnits(array: Uint16Array, least: number) {
  const larger = new Uint16Array(Math.max(least, Math.ceil(array.length * growth)));
  larger.set(array);
  return larger;
}

export function grownInts(array: Int32Array, least: number) {
  const larger = new Int32Array(Math.max(least, Math.ceil(array.length * growth)));
  larger.set(array);
  return larger;
}
