const frozen = new WeakSet<object>();

/** Freezes a value and everything in it, so that a test fails if its input is changed. The bytes of a buffer can't be frozen. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || frozen.has(value)) return value;
  frozen.add(value);
  if (ArrayBuffer.isView(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}
