import { isFields } from '@ctx/core/codec';

/** The first thing in a value that its shape does not allow. */
export interface Misfit {
  /** As JavaScript writes it: `messages[0].content`. */
  readonly place: string;
  /** What is wrong with what is there, as the end of a sentence. */
  readonly problem: string;
}

/** What JSON may look like at one place: one of these. Objects are told apart by the first field that has texts of its own. */
export type Shape = readonly Alternative[];

interface Alternative {
  /** The name of its type in JSON, or `any`. */
  readonly type: string;
  /** The only texts of a string. Missing: all. */
  readonly texts?: readonly string[];
  readonly items?: Shape;
  readonly isFilled?: boolean;
  readonly fields?: Fields;
}
interface Field {
  readonly shape: Shape;
  readonly isOptional: boolean;
}
type Fields = ReadonlyMap<string, Field>;

/** Stands among the fields of an object that may have others. */
const others = '...';
const anyField = { shape: [{ type: 'any' }], isOptional: true };
const anyObject: Shape = [{ type: 'object', fields: new Map([[others, anyField]]) }];

/**
 * Reads shapes that are written as TypeScript writes types, each with those above it: `name = 'a' | string | [item] | {field, optional?: other}`. A
 * field without a type may be anything, `[item]+` is not empty, and an object with `...other` has the fields of another, too, with `...` any.
 */
export function shapesIn(table: string): (name: string) => Shape {
  const tokens = table.match(/'[^']*'|\.\.\.|\w+|\S/g) ?? [];
  const basic = ['any', 'string', 'number', 'boolean', 'null'].map((type) => [type, [{ type }]] as const);
  const shapes = new Map<string, Shape>([...basic, ['object', anyObject]]);
  const take = () => tokens.shift() ?? '';
  const takes = (token: string) => tokens[0] === token && take() === token;
  const named = (name: string): Shape => {
    const shape = shapes.get(name);
    if (shape === undefined) throw new Error(`No shape is named "${name}" in ${table}`);
    return shape;
  };
  const alternative = (): Shape => {
    if (takes('{')) return [{ type: 'object', fields: fields() }];
    if (takes('[')) {
      const items = shape();
      if (!takes(']')) throw new Error(`A list does not end before "${tokens[0]}" in ${table}`);
      return [{ type: 'array', items, isFilled: takes('+') }];
    }
    const token = take();
    return token.startsWith("'") ? [{ type: 'string', texts: [token.slice(1, -1)] }] : named(token);
  };
  const shape = (): Shape => {
    const all = [...alternative()];
    while (takes('|')) all.push(...alternative());
    return all;
  };
  const fields = (): Fields => {
    let all: Fields = new Map();
    for (; !takes('}'); takes(',')) {
      const name = take();
      const isSpread = name === others && tokens[0] !== '}';
      const own: Fields = isSpread
        ? (named(take())[0]?.fields ?? new Map())
        : new Map([[name, { isOptional: takes('?'), shape: takes(':') ? shape() : anyField.shape }]]);
      all = new Map([...all, ...own]);
    }
    return all;
  };
  while (tokens.length > 0) {
    const name = take();
    if (!takes('=')) throw new Error(`"${name}" is not given a shape in ${table}`);
    shapes.set(name, shape());
  }
  return named;
}

/** Finds the first thing in a value that its shape does not allow; undefined if there is nothing. */
export function misfitOf(shape: Shape, value: unknown, place = ''): Misfit | undefined {
  const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  const meant = shape.filter((one) => one.type === type || one.type === 'any');
  const [one] = meant;
  const types = new Set(shape.map((other) => other.type));
  if (one === undefined) return { place, problem: `must be of the type ${[...types].join(' or ')}` };
  if (one.type === 'any') return undefined;
  if (Array.isArray(value)) return itemsMisfit(one, value, place);
  if (isFields(value)) return fieldsMisfit(meant, value, place);
  const texts = meant.flatMap((other) => other.texts ?? [String(value)]);
  return texts.includes(String(value)) ? undefined : { place, problem: `must be one of ${texts.join(', ')}` };
}

function itemsMisfit({ items = [], isFilled }: Alternative, list: unknown[], place: string) {
  if (isFilled && list.length === 0) return { place, problem: 'must not be empty' };
  return first(list.entries(), ([index, item]) => misfitOf(items, item, `${place}[${index}]`));
}

function fieldsMisfit(shapes: Shape, value: Readonly<Record<string, unknown>>, place: string) {
  const misfitAt = (name: string, field: Field | undefined) =>
    fieldMisfit(field, value[name], place === '' ? name : `${place}.${name}`);
  const tags = shapes.length > 1 ? [...(shapes[0]?.fields ?? [])] : [];
  const [tag] = tags.find(([, { shape }]) => shape[0]?.texts !== undefined) ?? [''];
  const isMeant = ({ fields }: Alternative) =>
    shapes.length === 1 || misfitAt(tag, fields?.get(tag)) === undefined;
  const fields = shapes.find(isMeant)?.fields;
  if (fields === undefined) {
    const shape = shapes.flatMap((one) => one.fields?.get(tag)?.shape ?? []);
    return misfitAt(tag, { shape, isOptional: false });
  }
  const names = [...fields.keys(), ...Object.keys(value)].filter((name) => name !== others);
  return first(names, (name) => misfitAt(name, fields.get(name) ?? fields.get(others)));
}

function fieldMisfit(field: Field | undefined, value: unknown, place: string): Misfit | undefined {
  if (field === undefined) return { place, problem: 'is not known' };
  if (value !== undefined) return misfitOf(field.shape, value, place);
  return field.isOptional ? undefined : { place, problem: 'is missing' };
}

/** The first misfit in a list. */
function first<T>(items: Iterable<T>, find: (item: T) => Misfit | undefined): Misfit | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
