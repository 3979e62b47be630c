import type { z } from 'zod';
import type { core } from 'zod/mini';
import type { InjectionToken } from '../base/di.js';
import { type ErrorFields, refuse } from '../base/errors.js';
import { nearest } from '../base/nearest.js';
import { english, type Path, placeOf, valueAt, wordsOf } from '../base/value-forms.js';

interface Schema extends core.$ZodType {
  safeParse(value: unknown, params: typeof english): { readonly error?: { readonly issues: Issues } };
}
type Issues = readonly core.$ZodIssue[];

export interface Wording {
  /** What the value is, with its verb: "The configuration is". */
  readonly subject: string;
  readonly unknown: string;
  readonly keys: string;
  readonly whole: string;
  readonly within?: Path;
  readonly alsoNear?: readonly string[];
  /** False for a path whose faults are not to be reported. @default all are */
  counts?(path: Path): boolean;
  /** A remedy that is better than the one that follows from the schema. */
  remedyFor?(fault: Fault): string | undefined;
}

interface Fault {
  readonly issue: core.$ZodIssue;
  readonly path: Path;
  readonly value: unknown;
  readonly guess?: string | undefined;
}

/** The faults of a value that a strict schema finds, each with its place, value and remedy; for an unknown key the nearest name. */
export function faultsIn(schema: Schema, value: unknown, wording: Wording): ErrorFields[] {
  const { subject, unknown, keys, whole, within = [], alsoNear = [], counts = () => true } = wording;
  const told = (issue: core.$ZodIssue, problem: string, path: Path, guess?: string): ErrorFields[] => {
    if (!counts(path)) return [];
    const at = valueAt(path, value);
    const meant = guess === undefined ? formAt(schema, issue.path, keys) : `Did you mean "${guess}"?`;
    const remedy = wording.remedyFor?.({ issue, path, value: at, guess }) ?? meant;
    const place = placeOf([...within, ...path]) || whole;
    return [{ code: 'config-invalid', problem, place, value: at, remedy }];
  };
  const faultsOf = (issue: core.$ZodIssue): ErrorFields[] => {
    if (issue.code === 'unrecognized_keys') {
      const known = [...keysAt(schema, issue.path), ...alsoNear];
      return issue.keys.flatMap((key) => told(issue, unknown, [...issue.path, key], nearest(key, known)));
    }
    // If a value may have several forms, the one whose parts are wrong is the one that was meant.
    const isInside = (issues: Issues) =>
      issues.every(({ path, code }) => path.length > 0 || code === 'unrecognized_keys');
    const meant = issue.code === 'invalid_union' ? issue.errors.find(isInside) : undefined;
    if (meant === undefined) return told(issue, `${subject} invalid: ${issue.message}`, issue.path);
    return meant.flatMap((one) => faultsOf({ ...one, path: [...issue.path, ...one.path] }));
  };
  return (schema.safeParse(value, english).error?.issues ?? []).flatMap(faultsOf);
}

/** What to write at a path: its keys, or the words of the last key that has some. */
function formAt(schema: core.$ZodType, path: Path, keys: string): string {
  const forms = path.flatMap((key, index) => {
    const words = wordsAt(schema, path.slice(0, index + 1));
    return typeof key === 'string' && words !== undefined ? [`Write ${key} as ${words}.`] : [];
  });
  const known = wordsAt(schema, path) === undefined ? keysAt(schema, path) : [];
  return known.length > 0
    ? `${keys} are ${known.join(', ')}.`
    : (forms.at(-1) ?? 'Remove it: there are none.');
}

function wordsAt(schema: core.$ZodType, path: Path): string | undefined {
  const found = schemaAt(schema, path);
  return found && wordsOf(found);
}

/** What a schema is made of, as far as it is needed to find the keys of an object in it. */
interface Definition {
  readonly shape?: Readonly<Record<string, core.$ZodType>>;
  /** The schema of which this one is the optional form, or one with a default. */
  readonly innerType?: core.$ZodType;
  readonly element?: core.$ZodType;
  /** The forms of which a value may have one. */
  readonly options?: readonly core.$ZodType[];
}

function bare(schema: core.$ZodType): core.$ZodType {
  const { innerType } = schema._zod.def as Definition;
  return innerType === undefined ? schema : bare(innerType);
}

const definitionOf = (schema: core.$ZodType): Definition => bare(schema)._zod.def as Definition;

/** The schema of what is at a path; undefined if there is none or it can't be told. */
export function schemaAt(schema: core.$ZodType, path: Path): core.$ZodType | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return bare(schema);
  const { shape, element, options = [] } = definitionOf(schema);
  const next =
    typeof key === 'number' ? element : shape && Object.hasOwn(shape, key) ? shape[String(key)] : undefined;
  if (next !== undefined) return schemaAt(next, rest);
  return options.map((option) => schemaAt(option, path)).find((found) => found !== undefined);
}

function keysAt(schema: core.$ZodType, path: Path): string[] {
  const found = schemaAt(schema, path);
  return Object.keys((found && definitionOf(found).shape) ?? {});
}

export function allKeys(schema: core.$ZodType): string[] {
  const { shape = {}, element, options = [] } = definitionOf(schema);
  const inner = [...Object.values(shape), ...options, ...(element === undefined ? [] : [element])];
  return [...Object.keys(shape), ...inner.flatMap(allKeys)];
}

/** The token for the checked options of a strategy. */
export function optionsToken<Options = unknown>(name: string): InjectionToken<Options> {
  return Symbol.for(`@ctx/strategy-options/${name}`);
}

/**
 * Checks the options of a strategy and fills in its defaults.
 * @throws ConfigError `config-invalid`
 */
export function parseOptions<Options>(
  name: string,
  schema: z.ZodType<Options>,
  options: unknown = {},
): Options {
  refuse(strategyFaults(name, schema, options));
  return schema.parse(options);
}

/** The faults of a strategy's options, in the words of its schema. */
export function strategyFaults(
  name: string,
  schema: z.ZodType,
  options: unknown,
  { place = 'options', counts }: { readonly place?: string } & Pick<Wording, 'counts'> = {},
): ErrorFields[] {
  return faultsIn(schema, options, {
    subject: `The options of strategy "${name}" are`,
    unknown: `Unknown option of strategy "${name}"`,
    keys: 'The options',
    whole: place,
    within: [place, name],
    ...(counts && { counts }),
    remedyFor: ({ issue }) =>
      issue.code === 'unrecognized_keys'
        ? undefined
        : `See the README of the package that provides "${name}".`,
  });
}
