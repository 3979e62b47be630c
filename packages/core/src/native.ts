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
