import { numberText } from './exact-json.js';

/** Deep equality of JSON values at any depth. A field that is undefined counts as missing. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const pairs = [[a, b]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [left, right] = pair;
    if (left === right) continue;
    if (!isObject(left) || !isObject(right) || Array.isArray(left) !== Array.isArray(right)) return false;
    const keys = keysOf(left);
    if (keys.length !== keysOf(right).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(right, key)) return false;
      // Numbers that JavaScript cannot tell apart may have been read as different ones.
      const [one, other] = [numberText(left, key), numberText(right, key)];
      if (one !== other && one !== undefined && other !== undefined) return false;
      pairs.push([left[key], right[key]]);
    }
  }
  return true;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function keysOf(value: Record<string, unknown>): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}
