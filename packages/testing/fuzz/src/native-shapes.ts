import fc from 'fast-check';

export type Fields = Record<string, unknown>;
type AnyFields = fc.Arbitrary<Fields>;

/** A text in quotes, or a word without: it ends at a bracket, a space, and a colon or comma before one. */
const words = /"(?:[^"\\]|\\.)*"|(?:[^\s{}[\],:"]|[:,][^\s{}[\],:"])+/g;
const isJson = /^(?:"|-?\d+$|(?:true|false|null)$)/;
const parsed = (shape: string): unknown =>
  JSON.parse(shape.replace(words, (word) => (isJson.test(word) ? word : JSON.stringify(word))));

/** JSON whose words need no quotes; what is put in is a part of a word, or a value. */
export const shape = ({ raw }: TemplateStringsArray, ...values: readonly unknown[]): unknown =>
  parsed(
    String.raw(
      { raw },
      ...values.map((one) => (typeof one === 'string' ? one : JSON.stringify(one, null, 1))),
    ),
  );

/**
 * Reads a table of shapes: each line has a name and a value in JSON whose words need no quotes; lines with the same name are alternatives, and
 * `name*3` is three of them. `§` and `¶` stand for texts of their own, as in `@ctx/testing`. Lines named `odd` are fields that no type lists.
 */
export function shapesIn({ raw: [table = ''] }: TemplateStringsArray) {
  const shapes = new Map<string, unknown[]>();
  for (const line of `${oddAnywhere}\n${table.trim()}`.split('\n')) {
    const [, name = '', times = '1', shape = ''] = /^(\w+)(?:\*(\d))?\s+(.*)/.exec(line.trim()) ?? [];
    const same = Array.from({ length: Number(times) }, () => parsed(shape));
    shapes.set(name, [...(shapes.get(name) ?? []), ...same]);
  }
  const value = (name: string) => fc.constantFrom(...(shapes.get(name) as unknown[]));
  const plain = value as (name: string) => AnyFields;
  const [none, odd] = [fc.constant({}), plain('odd')];
  const extra: AnyFields = fc.oneof({ arbitrary: none, weight: 4 }, { arbitrary: odd, weight: 1 });
  const one = (...names: string[]) => fc.oneof(...names.map((name) => merged(plain(name), extra)));
  const list = (...names: string[]) => fc.array(one(...names), { maxLength: 4 });
  return {
    /** One of the values of a name, as it is. */
    value,
    plain,
    /** Mostly nothing, otherwise odd fields. */
    extra,
    /** A shape of these names, perhaps with odd fields. */
    one,
    /** A few of them. */
    list,
    /** A text, or a few of them. */
    content: (...names: string[]): fc.Arbitrary<unknown> =>
      fc.oneof(fc.constantFrom<unknown>('§', '§', ''), list(...names)),
  };
}

const oddAnywhere = `odd {x_unknown: §}
odd {x_unknown: true, x_count: 3}
odd {x_list: [§, {deep: §}]}`;

/** One object with the fields of all of these. */
export const merged = (...parts: AnyFields[]): AnyFields =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all) as Fields);

export const field = (name: string, value: fc.Arbitrary<unknown>): AnyFields =>
  value.map((one) => ({ [name]: one }));

type Pair = readonly [call: Fields, result: Fields];

/** Calls that are made together, with their results. */
export const pairsOf = (...pairs: fc.Arbitrary<Pair>[]): fc.Arbitrary<Pair[]> =>
  fc.array(fc.oneof(...pairs), { minLength: 1, maxLength: 3 });

/** The calls of pairs, or their results, each with an id in the field of this name. */
export const sideOf = (pairs: readonly Pair[], side: 0 | 1, idName: string): Fields[] =>
  pairs.map((pair, at) => ({ ...pair[side], [idName]: `call_${at}` }));

/** Arguments of a call as a model writes them, JSON or not. */
export const argumentTexts = fc.constantFrom(
  ...['{}', '', 'null', '"§"', '{"path":"§","all":true,"lines":[1,2]}', '{"path": "§'],
  '{"n":12345678901234567890}',
);

/** A few steps of a conversation: messages that stand alone, and those that come together. */
export const stepsOf = (alone: readonly AnyFields[], ...together: fc.Arbitrary<Fields[]>[]) =>
  fc
    .array(fc.oneof(...alone.map((message) => message.map((one) => [one])), ...together), { maxLength: 6 })
    .map((steps) => steps.flat());
