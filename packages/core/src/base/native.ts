import { ValidationError } from './errors.js';

/** An object of unknown origin, of which nothing has been checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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

/** @throws ValidationError when the field is not a string, or an empty one */
export function nameAt(fields: Fields, key: string, place: string, remedy: string): string {
  const value = fields[key];
  if (typeof value === 'string' && value !== '') return value;
  throw nativeInvalid('A non-empty string was expected', `${place}.${key}`, value, remedy);
}

/** The places of the fields of an object that are not in the list and not empty. */
export function otherFields(fields: Fields, known: readonly string[], place: string): string[] {
  return Object.keys(fields)
    .filter((key) => !known.includes(key) && fields[key] !== undefined && fields[key] !== null)
    .map((key) => (place === '' ? key : `${place}.${key}`));
}

/** A timestamp in ms since epoch or of ISO 8601, as the `createdAt` to spread into a message; nothing where it is none. */
export function createdAt(timestamp: unknown): { createdAt?: number } {
  const time = typeof timestamp === 'string' ? Date.parse(timestamp) : timestamp;
  return typeof time === 'number' && Number.isFinite(time) && time >= 0 ? { createdAt: time } : {};
}
