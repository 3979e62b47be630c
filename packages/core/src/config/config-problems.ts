import type * as z from 'zod/mini';
import { english } from '../base/english.js';
import type { ErrorFields } from '../base/errors.js';
import { isFields, isPlain } from '../base/native.js';
import { nearest } from '../base/nearest.js';
import { wordsOf } from '../base/value-forms.js';
import { type Config, configSchema } from './config-keys.js';
import { over } from './config-layers.js';
import { allKeys, keysAt, schemaAt } from './schema-fields.js';

/** No configuration needs to be nested deeper. Only `trigger` could be nested without limit. */
const maxDepth = 64;
/** The values of these keys must be in order. */
const ordered = ['trigger', 'target', 'warn'] as const;

/** Every key that may appear somewhere in a configuration. */
export const knownKeys: readonly string[] = [...new Set(allKeys(configSchema))];

/** All problems of a configuration, in the order of its keys, except those of strategy options. */
export function configProblems(config: unknown): ErrorFields[] {
  const tooDeep = depthProblem(config);
  if (tooDeep !== undefined) return [tooDeep];
  const parsed = configSchema.safeParse(config, english);
  const wrong = parsed.success ? [] : parsed.error.issues.flatMap((issue) => problemsOf(issue, config));
  return [...wrong, ...(isFields(config) ? allOrderProblems(config as Config) : [])];
}

function allOrderProblems(config: Config): ErrorFields[] {
  const { rules, ...top } = config;
  const ofRules = (Array.isArray(rules) ? rules : []).flatMap((rule, index) =>
    isFields(rule) && ordered.some((key) => rule[key] !== undefined)
      ? orderProblems(`rules[${index}].`, over(top, rule))
      : [],
  );
  return [...orderProblems('', top), ...ofRules];
}

/** Finds a target at or above its trigger, and a warning after it. Values that are not numbers are skipped. */
export function orderProblems(
  where: string,
  { trigger, target, warn }: Pick<Config, 'trigger' | 'target' | 'warn'>,
): ErrorFields[] {
  const problems: ErrorFields[] = [];
  for (const unit of ['fraction', 'tokens'] as const) {
    const start = trigger?.[unit];
    const end = target?.[unit];
    if (typeof start !== 'number' || typeof end !== 'number' || !(end >= start)) continue;
    problems.push({
      code: 'config-invalid',
      problem: 'The target must be below the trigger, or each compression starts another',
      place: `${where}target.${unit}`,
      value: end,
      remedy: `Set it below trigger.${unit}, which is ${start}.`,
    });
  }
  const start = trigger?.fraction;
  if (typeof warn === 'number' && typeof start === 'number' && warn > start) {
    problems.push({
      code: 'config-invalid',
      problem: 'The warning must come before the compression',
      place: `${where}warn`,
      value: warn,
      remedy: `Set it to trigger.fraction, which is ${start}, or less.`,
    });
  }
  return problems;
}

/**
 * Works without recursion, because a value that is too deep would overflow the stack. Enters an object again only at a
 * greater depth.
 */
function depthProblem(config: unknown): ErrorFields | undefined {
  const depths = new Map<object, number>();
  const waiting: { readonly value: unknown; readonly path: readonly PropertyKey[] }[] = [
    { value: config, path: [] },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, path } = next;
    if (!Array.isArray(value) && !isPlain(value)) continue;
    if (path.length > maxDepth) return deeper(path, value);
    if ((depths.get(value) ?? -1) >= path.length) continue;
    depths.set(value, path.length);
    const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
    for (const key of keys)
      waiting.push({ value: (value as Record<PropertyKey, unknown>)[key], path: [...path, key] });
  }
  return undefined;
}

function deeper(path: readonly PropertyKey[], value: unknown): ErrorFields {
  return {
    code: 'config-invalid',
    problem: `The configuration is nested more than ${maxDepth} levels deep`,
    place: placeOf(path),
    value,
    remedy: 'Use fewer levels. A configuration must not contain itself.',
  };
}

/** A place as written in code, such as `rules[1].trigger`. */
export function placeOf(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : String(key)))
    .join('.')
    .replaceAll('.[', '[');
}

/** The value at a path; undefined if there is none. */
export function valueAt(path: readonly PropertyKey[], within: unknown): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], within);
}

function problemsOf(issue: z.core.$ZodIssue, config: unknown): ErrorFields[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => unknownKey([...issue.path, key], config));
  }
  const meant = issue.code === 'invalid_union' ? issue.errors.find(isInside) : undefined;
  if (meant !== undefined) {
    return meant.flatMap((inner) => problemsOf({ ...inner, path: [...issue.path, ...inner.path] }, config));
  }
  const value = valueAt(issue.path, config);
  return [
    {
      code: 'config-invalid',
      problem: `The configuration is invalid: ${issue.message}`,
      place: placeOf(issue.path) || 'config',
      value,
      remedy: remedyFor(issue, value),
    },
  ];
}

/** If a value may have several forms, the one whose parts are wrong is the one that was meant. */
function isInside(issues: readonly z.core.$ZodIssue[]): boolean {
  return issues.every(({ path, code }) => path.length > 0 || code === 'unrecognized_keys');
}

function unknownKey(path: readonly PropertyKey[], config: unknown): ErrorFields {
  const guess = nearest(String(path[path.length - 1]), knownKeys);
  return {
    code: 'config-invalid',
    problem: 'Unknown key',
    place: placeOf(path),
    value: valueAt(path, config),
    remedy: guess === undefined ? keysFor(path.slice(0, -1)) : `Did you mean "${guess}"?`,
  };
}

/** The keys that there are at a path. */
function keysFor(path: readonly PropertyKey[]): string {
  const keys = keysAt(configSchema, path).join(', ');
  if (path.length === 0) return `The keys are ${keys}.`;
  const isRule = path.length === 2 && path[0] === 'rules';
  return isRule ? `The keys of a rule are ${keys}.` : formAt(path);
}

/** What to write at a path: the words of the last key that has some. */
function formAt(path: readonly PropertyKey[]): string {
  const forms = path.flatMap((key, index) => {
    const schema = schemaAt(configSchema, path.slice(0, index + 1));
    const words = schema && wordsOf(schema);
    return typeof key === 'string' && words !== undefined ? [`Write ${key} as ${words}.`] : [];
  });
  return forms[forms.length - 1] ?? 'A configuration is an object; every key is optional.';
}

function remedyFor(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === 'too_big' && issue.maximum === 1 && typeof value === 'number' && value <= 100) {
    return `A share is between 0 and 1: for ${value} % write ${value / 100}.`;
  }
  if (issue.path.includes('pipeline') && (typeof value === 'function' || isFields(value))) {
    return 'A pipeline holds names. Strategies themselves go into `strategies`, next to `config`.';
  }
  return formAt(issue.path);
}
