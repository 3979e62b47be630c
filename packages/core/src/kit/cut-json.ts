import { stringifyJson, withNumbersOf } from '../base/exact-json.js';
import { finish, type Steps } from '../base/slices.js';
import { type CutOptions, countingOf, endOf, pluralise, startOf } from './cut-text.js';

export type CutJsonOptions = Pick<CutOptions, 'maxTokens' | 'tokensOf' | 'countInSteps'>;

/**
 * Shortens the JSON of a value to at most `maxTokens`, and it is still JSON. Long texts lose their middle, lists their
 * middle items, objects their last keys, each with a note on how much is missing. Values nested too deep become `…`.
 * Undefined if no such JSON is short enough. The value is not changed.
 */
export function cutJson(value: unknown, options: CutJsonOptions): string | undefined {
  return finish(cutJsonInSteps(value, options));
}

/** The same in steps. */
export function* cutJsonInSteps(value: unknown, options: CutJsonOptions): Steps<string | undefined> {
  const { maxTokens } = options;
  const countInSteps = countingOf(options);
  let best: string | undefined;
  for (let length = maxTokens * charactersPerToken; length >= 2; length /= 2) {
    const cut = stringifyJson(shrunk(value, limitsOf(length)));
    if (cut === undefined) return undefined;
    if (cut.length / 10 > maxTokens || (yield* countInSteps(cut)) > maxTokens) continue;
    best = cut;
    const fuller = stringifyJson(shrunk(value, limitsOf(length * 1.5)));
    return fuller !== best && (yield* countInSteps(fuller)) <= maxTokens ? fuller : best;
  }
  return best;
}

/** For text and code. An item takes at least one token, so more items than that would never fit. */
const charactersPerToken = 4;
/** Levels. No value that a person reads is deeper, and the recursion stays far from overflowing the stack. */
const maxDepth = 64;

interface Limits {
  readonly length: number;
  readonly items: number;
  values: number;
}

function limitsOf(length: number): Limits {
  return { length, items: Math.max(2, Math.floor(length / charactersPerToken)), values: length };
}

function shrunk(value: unknown, limits: Limits, depth = 0): unknown {
  limits.values -= 1;
  if (typeof value === 'string') return shorterText(value, limits.length);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === maxDepth || limits.values <= 0) return '…';
  const inner = (one: unknown) => shrunk(one, limits, depth + 1);
  if (Array.isArray(value)) {
    if (value.length <= limits.items) return withNumbersOf(value, value.map(inner));
    const half = Math.ceil(limits.items / 2);
    const gone = value.length - 2 * half;
    if (gone <= 0) return withNumbersOf(value, value.map(inner));
    const shorter = [
      ...value.slice(0, half).map(inner),
      `… ${pluralise(gone, 'item')} left out …`,
      ...value.slice(-half).map(inner),
    ];
    return withNumbersOf(value, shorter, (at) => String(Number(at) <= half ? at : Number(at) + gone - 1));
  }
  const entries = Object.entries(value);
  const kept = entries
    .slice(0, limits.items)
    .map(([key, one]) => [shorterText(key, limits.length), inner(one), key] as const);
  const gone = entries.length - kept.length;
  const shorter = Object.fromEntries(
    gone > 0 ? [...kept, ['…', `${pluralise(gone, 'key')} left out`]] : kept,
  );
  const keys = new Map<string, string>(kept.map(([short, , key]) => [short, key]));
  return withNumbersOf(value, shorter, (key) => keys.get(key) ?? key);
}

function shorterText(text: string, length: number): string {
  const note = (gone: number) => `… ${pluralise(gone, 'character')} left out …`;
  const half = Math.floor(length / 2);
  const gone = text.length - 2 * half;
  if (gone <= note(gone).length) return text;
  return `${startOf(text, half)}${note(gone)}${endOf(text, half)}`;
}
