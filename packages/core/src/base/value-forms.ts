import type { core } from 'zod/mini';
import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';

/** What a user may write for an object of these keys, none of which is required. */
export type Given<Shape extends z.core.$ZodShape> = { -readonly [Key in keyof Shape]?: z.input<Shape[Key]> };

export type Filled<Shape extends z.core.$ZodShape> = Readonly<z.output<z.ZodMiniObject<Shape>>>;

/** A schema together with the words for what it takes: `Write KEY as WORDS.` */
export function takes<Schema extends z.ZodMiniType>(words: string, schema: Schema): Schema {
  return schema.check(z.describe(words));
}

/** The words for what a schema takes; undefined if it has none of its own. */
export function wordsOf(schema: z.core.$ZodType): string | undefined {
  return z.globalRegistry.get(schema)?.description;
}

export const flag = takes('true or false', z.boolean());

export const above0 = (unit: string) =>
  takes(`a whole number of ${unit} above 0`, z.int().check(z.positive()));

export const atLeast = (minimum: number, unit: string) =>
  takes(`a whole number of ${unit}, ${minimum} or more`, z.int().check(z.minimum(minimum)));

export const shareOf = (whole: string) =>
  takes(`a share of ${whole} above 0 and up to 1`, z.number().check(z.gt(0), z.maximum(1)));

export const oneOf = <const Values extends readonly string[]>(...values: Values) =>
  takes(values.map((value) => `"${value}"`).join(' or '), z.enum(values));

export const fields = <const Shape extends z.core.$ZodShape>(shape: Shape) =>
  takes(`{ ${Object.keys(shape).join(', ')} }`, z.strictObject(shape));

export const falseOr = <Schema extends z.ZodMiniType>(schema: Schema) =>
  takes(`false or ${wordsOf(schema)}`, z.union([z.literal(false), schema]));

/** The words of a schema's errors, for `safeParse`: `zod/mini` itself says no more than "Invalid input". */
export const english: { readonly error: core.$ZodErrorMap } = { error: en().localeError };

/** Where a value is within another one. */
export type Path = readonly PropertyKey[];

/** A place as written in code, such as `rules[1].trigger`. */
export function placeOf(path: Path): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : String(key)))
    .join('.')
    .replaceAll('.[', '[');
}

export function valueAt(path: Path, within: unknown): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], within);
}
