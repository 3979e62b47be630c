/** An object of unknown origin that has not been checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The field as a string; undefined if it is not a string, or empty. */
export function nameIn(fields: Fields, key: string): string | undefined {
  const value = fields[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The size of a window, which is a whole number of tokens; undefined if it is not one. */
export function windowIn(fields: Fields, key: string): number | undefined {
  const value = fields[key];
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : undefined;
}

/** The field as a token count; 0 if it is not one. */
export function countIn(fields: Fields, key: string): number {
  const value = fields[key];
  return typeof value === 'number' && value >= 0 ? value : 0;
}
