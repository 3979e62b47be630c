import { ValidationError } from '../base/errors.js';
import type { Learned } from '../count/calibrate.js';

/** The usage that a provider reports with a response. */
export interface Usage {
  /** Tokens of the whole input, cached or not. */
  readonly inputTokens: number;
  /** The model that answered. The report is ignored if it is not the manager's model, or that with a date. */
  readonly model?: string | undefined;
  /** Why the provider could not read its cache, in its own word, such as `tools_changed`. */
  readonly cacheMiss?: string | undefined;
  /** Why it showed the model not all reasoning, in its own words, such as `prefix_mismatch`; each once. */
  readonly droppedReasoning?: readonly string[] | undefined;
}

type Unused = Exclude<Learned, 'used'> | 'other-model' | 'predates-compression' | 'no-request' | 'aborted';
export type UsageOutcome = { readonly used: true } | { readonly used: false; readonly reason: Unused };

/** @throws ValidationError `usage-invalid` */
export function refuseUsage(usage: Usage): Usage {
  const inputTokens: unknown = usage?.inputTokens;
  if (typeof inputTokens !== 'number' || !Number.isFinite(inputTokens) || inputTokens < 0) {
    throw new ValidationError({
      code: 'usage-invalid',
      problem: 'Usage must be a number of tokens',
      place: 'usage.inputTokens',
      value: inputTokens,
      remedy: 'Pass the input tokens of the response, cached ones included.',
    });
  }
  return usage;
}

/** What providers add to a name when they answer: a date, a version, how new it is. */
const afterName = /[-@](?:\d{8}|\d{4}(?:-\d\d-\d\d)?|\d\d-\d{4}|v\d{1,3}:\d{1,3}|0|latest|preview)$/;

/** A name without what stands before it, folders and makers (`us.maker.name`), and without what an answer adds. */
function bareName(name: string): string {
  const parts = (name.toLowerCase().split('/').at(-1) ?? '').split('.');
  const first = parts.findLastIndex((part) => /^[a-z]/.test(part));
  return parts.slice(Math.max(0, first)).join('.').replace(afterName, '').replace(afterName, '');
}

/** True for two names of one model: `name-5` is answered by `name-5-2025-08-07`. */
export function isSameModel(one: string, other: string): boolean {
  return bareName(one).replaceAll('.', '-') === bareName(other).replaceAll('.', '-');
}

/** Why a report is not believed, in words for the host; `undefined` if it is, or if it is a single outlier. */
export function doubtOf(
  learned: Learned,
  reported: number,
  counted: number,
  isErratic: boolean,
): string | undefined {
  if (learned === 'used') return undefined;
  const figures = `The last usage report is ignored: ${reported} tokens, while ${counted} were counted`;
  if (learned === 'implausible' && reported < counted) {
    return `${figures}. That is too few. Cached input tokens are probably missing: also report those read from the cache and written to it.`;
  }
  if (learned === 'implausible')
    return `${figures}. That is too many. Is it the input of one request, in tokens?`;
  return isErratic
    ? `${figures}. Nothing is learned from the last reports, because they contradict one another.`
    : undefined;
}
