import { isFields } from '@ctx/core/codec';

/** The first thing in a value that its shape does not allow. */
export interface Misfit {
  /** As JavaScript writes it: `messages[0].content`. */
  readonly place: string;
  /** What is wrong with what is there, as the end of a sentence. */
  readonly problem: string;
}

/** What JSON may look like at one place. Made with the functions below. */
export interface Shape {
  /** The name of its type in JSON. */
  readonly type: string;
  isOfType(value: unknown): boolean;
  misfit(value: unknown, place: string): Misfit | undefined;
}

type Shapes = Readonly<Record<string, Shape>>;

/** @param inner finds a misfit in a value that has the right type */
function shape<T>(
  type: string,
  isOfType: (value: unknown) => value is T,
  inner: (value: T, place: string) => Misfit | undefined = () => undefined,
): Shape {
  const misfit: Shape['misfit'] = (value, place) =>
    isOfType(value) ? inner(value, place) : { place, problem: `must be of the type ${type}` };
  return { type, isOfType, misfit };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isList = (value: unknown): value is unknown[] => Array.isArray(value);
const noneOf = (allowed: readonly string[]) => `must be one of ${allowed.join(', ')}`;

export const text = shape('string', isText);
export const count = shape('number', (value): value is number => typeof value === 'number');
export const flag = shape('boolean', (value): value is boolean => typeof value === 'boolean');
export const anything = shape('any', (_value): _value is unknown => true);
/** An object with whatever fields. */
export const record = shape('object', isFields);
export const oneOf = (...values: string[]): Shape =>
  shape('string', isText, (value, place) =>
    values.includes(value) ? undefined : { place, problem: noneOf(values) },
  );
export const list = (of: Shape, min = 0): Shape =>
  shape('array', isList, (value, place) => {
    if (value.length < min) return { place, problem: 'must not be empty' };
    return first(value.entries(), ([index, item]) => of.misfit(item, `${place}[${index}]`));
  });
/** An object with these fields and no others. */
export const object = (required: Shapes, optional: Shapes = {}): Shape =>
  shape('object', isFields, (value, place) => {
    const missing = Object.keys(required).find((name) => value[name] === undefined);
    if (missing !== undefined) return { place: inside(place, missing), problem: 'is missing' };
    return first(Object.entries(value), ([name, inner]) => {
      const known = required[name] ?? optional[name];
      if (known === undefined) return { place: inside(place, name), problem: 'is not known' };
      return inner === undefined ? undefined : known.misfit(inner, inside(place, name));
    });
  });
/** An object whose shape follows from the string in its field `by`; `otherwise` is meant where that field is missing. */
export const tagged = (by: string, shapes: Shapes, otherwise?: string): Shape =>
  shape('object', isFields, (value, place) => {
    const tag = value[by] ?? otherwise;
    if (tag === undefined) return { place: inside(place, by), problem: 'is missing' };
    if (!isText(tag)) return text.misfit(tag, inside(place, by));
    const meant = Object.hasOwn(shapes, tag) ? shapes[tag] : undefined;
    if (meant !== undefined) return meant.misfit(value, place);
    return { place: inside(place, by), problem: noneOf(Object.keys(shapes)) };
  });
/** One of several shapes, told apart by their type in JSON. */
export const either = (...shapes: Shape[]): Shape => {
  const meant = (value: unknown) => shapes.find((one) => one.isOfType(value));
  return shape(
    shapes.map(({ type }) => type).join(' or '),
    (value): value is unknown => meant(value) !== undefined,
    (value, place) => meant(value)?.misfit(value, place),
  );
};
export const nullable = (one: Shape): Shape => ({
  type: `${one.type} or null`,
  isOfType: (value) => value === null || one.isOfType(value),
  misfit: (value, place) => (value === null ? undefined : one.misfit(value, place)),
});
/** Fields of these names, each of any type. */
export const anyOf = (names: string): Shapes => each(anything, names);
/** Objects of several types, none of which is looked into. */
export const wholeOf = (types: string): Shapes => each(record, types);
const each = (one: Shape, names: string): Shapes =>
  Object.fromEntries(names.split(' ').map((name) => [name, one]));

/** Finds the first thing in a value that its shape does not allow; undefined if there is nothing. */
export const misfitOf = (of: Shape, value: unknown, place = ''): Misfit | undefined =>
  of.misfit(value, place);

/** The place of a field. */
export const inside = (place: string, name: string): string => (place === '' ? name : `${place}.${name}`);

/** The first misfit in a list. */
export function first<T>(items: Iterable<T>, find: (item: T) => Misfit | undefined): Misfit | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
