import { ValidationError } from './errors.js';
import { parseJson, stringifyJson } from './exact-json.js';
import { entriesOf } from './json.js';

/** How deep a value in a message may be nested: deeper than anyone writes by hand, and well below where `JSON.stringify` fails. */
export const maxDepth = 1000;

/** True if a value is nested deeper than 1,000 levels. A value that contains itself is counted once. */
function isTooDeep(value: unknown): boolean {
  return heightOf(value, 0, new Map()) > maxDepth;
}

/**
 * Checks the values of an object, apart from those of one key. A value that is nested too deep can be written neither into a snapshot nor into a
 * request.
 * @throws ValidationError `value-no-json`
 */
export function refuseDepth(fields: object, place: string, leftOut?: string): void {
  for (const key of Object.keys(fields)) {
    if (key === leftOut) continue;
    refuseTooDeep(fields[key as keyof typeof fields], `${place}.${key}`);
  }
}

/**
 * The JSON of a value in a message; an empty string for `undefined`.
 * @throws ValidationError `value-no-json` if the value has no JSON: it is too deep, contains itself or holds a BigInt
 */
export function jsonOf(value: unknown, place: string): string {
  refuseTooDeep(value, place);
  try {
    return stringifyJson(value) ?? '';
  } catch (cause) {
    throw noJson('The value has no JSON', place, value, cause);
  }
}

/** @throws ValidationError `value-no-json` if the value is nested deeper than 1,000 levels */
export function refuseTooDeep(value: unknown, place: string): void {
  if (isTooDeep(value)) throw noJson(`The value is nested deeper than ${maxDepth} levels`, place, value);
}

/** What a text of JSON says; the text itself if it is not JSON, or nested deeper than 1,000 levels. */
export function jsonOrText(text: string): unknown {
  try {
    const value: unknown = parseJson(text);
    return isTooDeep(value) ? text : value;
  } catch {
    return text;
  }
}

function noJson(problem: string, place: string, value: unknown, cause?: unknown): ValidationError {
  return new ValidationError({
    code: 'value-no-json',
    problem,
    place,
    value,
    remedy: 'Give plain JSON, or a string instead.',
    cause,
  });
}

/** Stops as soon as the height is certain to exceed `maxDepth`, so the recursion goes no deeper than that. */
function heightOf(value: unknown, level: number, known: Map<object, number>): number {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return 0;
  const before = known.get(value);
  if (before !== undefined) return before;
  if (level >= maxDepth) return maxDepth + 1;
  known.set(value, 0);
  let height = 1;
  const values = Array.isArray(value) ? value : entriesOf(value).map(([, inner]) => inner);
  for (const inner of values) {
    height = Math.max(height, 1 + heightOf(inner, level + 1, known));
    if (level + height > maxDepth) return maxDepth + 1;
  }
  known.set(value, height);
  return height;
}
