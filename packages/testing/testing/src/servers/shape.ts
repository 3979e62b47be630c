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

/** The first thing in a value that its shape does not allow. */
export interface Misfit {
  /** As JavaScript writes it: `messages[0].content`. */
  readonly place: string;
  /** What is wrong with what is there, as the end of a sentence. */
  readonly problem: string;
}

/** Finds the first thing in a value that its shape does not allow; undefined if there is nothing. */
export function misfitOf(shape: Shape, value: unknown, place = ''): Misfit | undefined {
  const mistyped = { place, problem: `must be of the type ${typeName(shape)}` };
  switch (shape.kind) {
    case 'any':
      return undefined;
    case 'nullable':
      return value === null ? undefined : misfitOf(shape.shape, value, place);
    case 'either': {
      const fitting = shape.shapes.find((one) => isOfType(one, value));
      return fitting === undefined ? mistyped : misfitOf(fitting, value, place);
    }
    case 'enum':
      if (typeof value !== 'string') return mistyped;
      return shape.values.includes(value) ? undefined : { place, problem: noneOf(shape.values) };
    case 'array':
      return Array.isArray(value) ? misfitInList(shape, value, place) : mistyped;
    case 'object':
      return isFields(value) ? misfitInObject(shape, value, place) : mistyped;
    case 'tagged':
      return isFields(value) ? misfitInTagged(shape, value, place) : mistyped;
    default:
      return isOfType(shape, value) ? undefined : mistyped;
  }
}

const noneOf = (allowed: readonly string[]) => `must be one of ${allowed.join(', ')}`;

/** The place of a field. */
export const inside = (place: string, name: string): string => (place === '' ? name : `${place}.${name}`);

function typeName(shape: Shape): string {
  switch (shape.kind) {
    case 'either':
      return shape.shapes.map(typeName).join(' or ');
    case 'nullable':
      return `${typeName(shape.shape)} or null`;
    case 'enum':
      return 'string';
    case 'tagged':
    case 'record':
      return 'object';
    default:
      return shape.kind;
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

function misfitInList({ of, min }: Shape & { kind: 'array' }, value: unknown[], place: string) {
  if (value.length < min) return { place, problem: 'must not be empty' };
  return first(value.entries(), ([index, item]) => misfitOf(of, item, `${place}[${index}]`));
}

function misfitInObject(
  { required, optional }: Shape & { kind: 'object' },
  value: Fields,
  place: string,
): Misfit | undefined {
  const missing = Object.keys(required).find((name) => value[name] === undefined);
  if (missing !== undefined) return { place: inside(place, missing), problem: 'is missing' };
  return first(Object.entries(value), ([name, inner]) => {
    const shape = required[name] ?? optional[name];
    if (shape === undefined) return { place: inside(place, name), problem: 'is not known' };
    return inner === undefined ? undefined : misfitOf(shape, inner, inside(place, name));
  });
}

function misfitInTagged(
  { by, shapes, otherwise }: Shape & { kind: 'tagged' },
  value: Fields,
  place: string,
): Misfit | undefined {
  const tag = value[by] ?? otherwise;
  if (tag === undefined) return { place: inside(place, by), problem: 'is missing' };
  if (typeof tag !== 'string') return misfitOf(text, tag, inside(place, by));
  const shape = Object.hasOwn(shapes, tag) ? shapes[tag] : undefined;
  if (shape !== undefined) return misfitOf(shape, value, place);
  return { place: inside(place, by), problem: noneOf(Object.keys(shapes)) };
}

/** The first misfit in a list. */
export function first<T>(items: Iterable<T>, find: (item: T) => Misfit | undefined): Misfit | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
