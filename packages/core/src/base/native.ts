import { ValidationError } from './errors.js';

/** An object of unknown origin. None of its fields has been checked. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for an object as in JSON: neither a list nor an instance of a class. */
export function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

export function nativeInvalid(
  problem: string,
  place: string,
  value: unknown,
  remedy: string,
): ValidationError {
  return new ValidationError({ code: 'native-invalid', problem, place, value, remedy });
}

/** @throws ValidationError when the value is not an object */
export function fieldsOf(value: unknown, place: string, remedy: string): Fields {
  if (isFields(value)) return value;
  throw nativeInvalid('An object was expected', place, value, remedy);
}

/** @throws ValidationError when the field is not a string */
export function stringAt(fields: Fields, key: string, place: string, remedy: string): string {
  const value = fields[key];
  if (typeof value === 'string') return value;
  throw nativeInvalid('A string was expected', `${place}.${key}`, value, remedy);
}

/** @throws ValidationError when the field is not a string or is empty */
export function nameAt(fields: Fields, key: string, place: string, remedy: string): string {
  const value = fields[key];
  if (typeof value === 'string' && value !== '') return value;
  throw nativeInvalid('A non-empty string was expected', `${place}.${key}`, value, remedy);
}

/**
 * Reads a timestamp, either ms since epoch or ISO 8601, and returns `{ createdAt }` to spread into a message; `{}` if
 * it is not a valid time.
 */
export function createdAt(timestamp: unknown): { createdAt?: number } {
  const time = typeof timestamp === 'string' ? Date.parse(timestamp) : timestamp;
  return typeof time === 'number' && Number.isFinite(time) && time >= 0 ? { createdAt: time } : {};
}
