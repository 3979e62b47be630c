import { inspect } from 'node:util';

/** A value in a form that can be pasted into a test. */
export function pasteable(value: unknown): string {
  return inspect(value, {
    depth: null,
    maxArrayLength: null,
    maxStringLength: null,
    breakLength: 140,
    compact: 4,
  });
}
