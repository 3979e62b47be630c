import { type Fields, isFields } from '@ctx/core/codec';

/** What JSON may look like at one place. Made with the functions below. */
export type Shape =
  | { readonly kind: 'string' | 'number' | 'boolean' | 'any' | 'record' }
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  | { readonly kind: 'array'; readonly of: Shape; readonly min: number }
  | { readonly kind: 'object'; readonly required: Shapes; readonly optional: Shapes }
  | { readonly kind: 'tagged'; readonly by: string; readonly shapes: Shapes; readonly otherwise?: string }
  | { readonly kind: 'either'; readonly shapes: readonly Shape[] }
  | { readonly kind: 'nullable'; readonly shape: Shape };

type Shapes = Readonly<Record<string, Shape>>;

export const text: Shape = { kind: 'string' };
export const count: Shape = { kind: 'number' };
export const flag: Shape = { kind: 'boolean' };
export const anything: Shape = { kind: 'any' };
/** An object with whatever fields. */
export const record: Shape = { kind: 'record' };
export const oneOf = (...values: string[]): Shape => ({ kind: 'enum', values });
export const list = (of: Shape, min = 0): Shape => ({ kind: 'array', of, min });
/** An object with these fields and no others. */
export const object = (required: Shapes, optional: Shapes = {}): Shape => ({
  kind: 'object',
  required,
  optional,
});
/** An object whose shape follows from the string in its field `by`; `otherwise` is meant where that field is missing. */
export const tagged = (by: string, shapes: Shapes, otherwise?: string): Shape =>
  otherwise === undefined ? { kind: 'tagged', by, shapes } : { kind: 'tagged', by, shapes, otherwise };
/** One of several shapes, told apart by their type in JSON. */
export const either = (...shapes: Shape[]): Shape => ({ kind: 'either', shapes });
export const nullable = (shape: Shape): Shape => ({ kind: 'nullable', shape });
/** The same fields, each of them of any type. */
export const anyOf = (...names: string[]): Shapes =>
  Object.fromEntries(names.map((name) => [name, anything]));

/** A step on the way to a value: a field, an index, or the tag that chose a shape. */
export type Step = string | number | { readonly tag: string };

/** The first thing in a value that its shape does not allow. */
export interface Misfit {
  readonly path: readonly Step[];
  readonly value: unknown;
  readonly problem:
    | { readonly kind: 'missing' | 'unknown' | 'empty' }
    | { readonly kind: 'type'; readonly expected: readonly Shape[] }
    | { readonly kind: 'value' | 'tag'; readonly allowed: readonly string[]; readonly by: string };
}

/** Finds the first thing in a value that its shape does not allow; undefined if there is nothing. */
export function misfitOf(shape: Shape, value: unknown, path: readonly Step[] = []): Misfit | undefined {
  const mistyped = (...expected: Shape[]): Misfit => ({ path, value, problem: { kind: 'type', expected } });
  switch (shape.kind) {
    case 'any':
      return undefined;
    case 'nullable':
      return value === null ? undefined : misfitOf(shape.shape, value, path);
    case 'either': {
      const fitting = shape.shapes.find((one) => isOfType(one, value));
      return fitting === undefined ? mistyped(...shape.shapes) : misfitOf(fitting, value, path);
    }
    case 'enum':
      if (typeof value !== 'string') return mistyped(shape);
      if (shape.values.includes(value)) return undefined;
      return { path, value, problem: { kind: 'value', allowed: shape.values, by: '' } };
    case 'array':
      return Array.isArray(value) ? misfitInList(shape, value, path) : mistyped(shape);
    case 'object':
      return isFields(value) ? misfitInObject(shape, value, path) : mistyped(shape);
    case 'tagged':
      return isFields(value) ? misfitInTagged(shape, value, path) : mistyped(shape);
    default:
      return isOfType(shape, value) ? undefined : mistyped(shape);
  }
}

function isOfType(shape: Shape, value: unknown): boolean {
  switch (shape.kind) {
    case 'array':
      return Array.isArray(value);
    case 'string':
    case 'enum':
      return typeof value === 'string';
    case 'number':
    case 'boolean':
      return typeof value === shape.kind;
    case 'nullable':
      return value === null || isOfType(shape.shape, value);
    case 'either':
      return shape.shapes.some((one) => isOfType(one, value));
    case 'any':
      return true;
    default:
      return isFields(value);
  }
}

function misfitInList(shape: Shape & { kind: 'array' }, value: unknown[], path: readonly Step[]) {
  if (value.length < shape.min) return { path, value, problem: { kind: 'empty' } as const };
  return first(value.entries(), ([index, item]) => misfitOf(shape.of, item, [...path, index]));
}

function misfitInObject(
  { required, optional }: Shape & { kind: 'object' },
  value: Fields,
  path: readonly Step[],
): Misfit | undefined {
  const missing = Object.keys(required).find((name) => value[name] === undefined);
  if (missing !== undefined)
    return { path: [...path, missing], value: undefined, problem: { kind: 'missing' } };
  return first(Object.entries(value), ([name, inner]) => {
    const shape = required[name] ?? optional[name];
    const inside = [...path, name];
    if (shape === undefined) return { path: inside, value: inner, problem: { kind: 'unknown' } };
    return inner === undefined ? undefined : misfitOf(shape, inner, inside);
  });
}

function misfitInTagged(
  { by, shapes, otherwise }: Shape & { kind: 'tagged' },
  value: Fields,
  path: readonly Step[],
): Misfit | undefined {
  const tag = value[by] ?? otherwise;
  const place = [...path, by];
  if (tag === undefined) return { path: place, value: undefined, problem: { kind: 'missing' } };
  if (typeof tag !== 'string') return misfitOf(text, tag, place);
  const shape = shapes[tag];
  if (shape !== undefined && Object.hasOwn(shapes, tag)) return misfitOf(shape, value, [...path, { tag }]);
  return { path: place, value: tag, problem: { kind: 'tag', allowed: Object.keys(shapes), by } };
}

function first<T>(items: Iterable<T>, find: (item: T) => Misfit | undefined): Misfit | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
