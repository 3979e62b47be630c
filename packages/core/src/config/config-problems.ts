import type { ErrorFields } from '../base/errors.js';
import { isFields, isPlain } from '../base/native.js';
import { type Config, configSchema, defaultArrivals } from './config-keys.js';
import { over } from './config-layers.js';
import { allKeys, faultsIn, placeOf, type Wording } from './faults.js';

/** No configuration needs to be nested deeper. Only `trigger` could be nested without limit. */
const maxDepth = 64;
/** The values of these keys must be in order. */
const ordered = ['trigger', 'target', 'warn', 'arrivals'] as const;

/** Every key that may appear somewhere in a configuration. */
export const knownKeys: readonly string[] = [...new Set(allKeys(configSchema))];

const wording: Wording = {
  subject: 'The configuration is',
  unknown: 'Unknown key',
  keys: 'The keys',
  whole: 'config',
  alsoNear: knownKeys,
  remedyFor({ issue, path, value }) {
    if (issue.code === 'too_big' && issue.maximum === 1 && typeof value === 'number' && value <= 100)
      return `A share is between 0 and 1: for ${value} % write ${value / 100}.`;
    if (path.includes('pipeline') && (typeof value === 'function' || isFields(value)))
      return 'A pipeline holds names. Strategies themselves go into `strategies`, next to `config`.';
    return path.length === 0 ? 'A configuration is an object; every key is optional.' : undefined;
  },
};

/** All problems of a configuration, in the order of its keys, except those of strategy options. */
export function configProblems(config: unknown): ErrorFields[] {
  const tooDeep = depthProblem(config);
  if (tooDeep !== undefined) return [tooDeep];
  return [
    ...faultsIn(configSchema, config, wording),
    ...(isFields(config) ? allOrderProblems(config as Config) : []),
  ];
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
  { trigger, target, warn, arrivals }: Pick<Config, (typeof ordered)[number]>,
): ErrorFields[] {
  const problems = excerptProblems(`${where}arrivals`, arrivals);
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

/** Finds excerpts that would be no smaller than what they are made of. */
function excerptProblems(place: string, arrivals: Config['arrivals']): ErrorFields[] {
  const { tools = {}, ...own } = arrivals || {};
  const all = [
    [place, {}] as const,
    ...Object.entries(tools).map(([name, one]) => [`${place}.tools.${name}`, one] as const),
  ];
  return all.flatMap(([at, one]): ErrorFields[] => {
    const { over: most, to } = { ...defaultArrivals, ...own, ...one };
    if (typeof most !== 'number' || typeof to !== 'number' || !(to >= most)) return [];
    const problem = 'An excerpt must be smaller than the results that it is made of';
    const remedy = `Set it below over, which is ${most}.`;
    return [{ code: 'config-invalid', problem, place: `${at}.to`, value: to, remedy }];
  });
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
