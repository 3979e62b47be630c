import type { core } from 'zod/mini';

type Schema = core.$ZodType;

/** What a schema is made of, as far as it is needed to find the keys of an object in it. */
interface Definition {
  readonly shape?: Readonly<Record<string, Schema>>;
  /** The schema of which this one is the optional form, or one with a default. */
  readonly innerType?: Schema;
  /** Gives the schema of which this one is a recursive use. */
  readonly getter?: () => Schema;
  /** What each entry of a list takes. */
  readonly element?: Schema;
  /** The forms of which a value may have one. */
  readonly options?: readonly Schema[];
}

const definitionOf = (schema: Schema): Definition => schema._zod.def as Definition;

function bare(schema: Schema): Schema {
  const { innerType, getter } = definitionOf(schema);
  const inner = innerType ?? getter?.();
  return inner === undefined ? schema : bare(inner);
}

/** The schema of what is at a path; undefined if there is none or it can't be told. */
export function schemaAt(schema: Schema, path: readonly PropertyKey[]): Schema | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return bare(schema);
  const { shape, element, options = [] } = definitionOf(bare(schema));
  const next =
    typeof key === 'number' ? element : shape && Object.hasOwn(shape, key) ? shape[String(key)] : undefined;
  if (next !== undefined) return schemaAt(next, rest);
  return options.map((option) => schemaAt(option, path)).find((found) => found !== undefined);
}

/** The keys that an object at a path may have; none if that can't be told. */
export function keysAt(schema: Schema, path: readonly PropertyKey[]): string[] {
  const found = schemaAt(schema, path);
  return Object.keys((found && definitionOf(found).shape) ?? {});
}

/** The keys of a schema and of everything within it. */
export function allKeys(schema: Schema, seen = new Set<Schema>()): string[] {
  const { shape = {}, element, options = [] } = definitionOf(bare(schema));
  if (seen.has(bare(schema))) return [];
  seen.add(bare(schema));
  const inner = [...Object.values(shape), ...options, ...(element === undefined ? [] : [element])];
  return [...Object.keys(shape), ...inner.flatMap((one) => allKeys(one, seen))];
}
