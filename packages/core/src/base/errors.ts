import { jsonText, valuesIn } from './json.js';

/** Every code that a `CtxError` can carry, for checks. Each has an entry in docs/errors.md. */
export const errorCodes = [
  'message-invalid',
  'value-no-json',
  'message-empty',
  'message-id-duplicate',
  'message-id-reserved',
  'tool-call-id-duplicate',
  'tool-result-without-call',
  'config-invalid',
  'strategy-unknown',
  'strategy-duplicate',
  'strategy-invalid',
  'context-overflow',
  'id-unknown',
  'snapshot-invalid',
  'usage-invalid',
  'plan-invalid',
  'summary-useless',
  'summary-failed',
  'model-failed',
  'port-missing',
  'nothing-to-fold',
  'message-not-in-view',
  'record-unknown',
  'timeout',
  'aborted',
  'session-unreadable',
  'session-empty',
  'session-format-unknown',
  'session-record-invalid',
  'session-missing',
  'option-invalid',
  'output-failed',
  'package-missing',
  'native-invalid',
  'archive-ref-invalid',
  'archive-ref-unknown',
  'archive-entry-invalid',
  'archive-conflict',
  'archive-unavailable',
  'archive-full',
  'archive-corrupt',
  'proxy-unreachable',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

export interface ErrorFields {
  readonly code: ErrorCode;
  /** What is wrong, as a sentence without a full stop. */
  readonly problem: string;
  /** Where: a message index and path, a configuration key, a file and line. */
  readonly place?: string;
  /** The offending value. The error's text shows it shortened, and a large one is held as the beginning of its JSON. */
  readonly value?: unknown;
  /** What the caller can do about it. */
  readonly remedy: string;
  readonly cause?: unknown;
}

const marker = Symbol.for('ctx.error');
/** The text of an error lists at most this many problems after the first. */
const mostListed = 20;

/** The base class of all errors that ctx throws: a stable `code`, the `place`, the `value` and a `remedy`. */
export class CtxError extends Error {
  readonly code: ErrorCode;
  /** What is wrong, without place, value and remedy. */
  readonly problem: string;
  readonly place: string | undefined;
  readonly value: unknown;
  readonly remedy: string;
  readonly [marker] = true;

  constructor(fields: ErrorFields, others: readonly ErrorFields[] = []) {
    const listed = others.slice(0, mostListed).map((other) => `\n- ${sentences(other)}`);
    const unlisted = others.length - listed.length;
    const more = unlisted > 0 ? `\n- and ${unlisted} more` : '';
    super(`[ctx] ${sentences(fields)}${listed.join('')}${more}`, { cause: fields.cause });
    this.name = new.target.name;
    this.code = fields.code;
    this.problem = fields.problem;
    this.place = fields.place;
    this.value = held(fields.value);
    this.remedy = fields.remedy;
  }

  /** True for a CtxError, including one from another copy of the package. */
  static isInstance(error: unknown): error is CtxError {
    return typeof error === 'object' && error !== null && marker in error;
  }
}

/** A message, a native message or a usage report does not have the documented form. Nothing was appended. */
export class ValidationError extends CtxError {}

/** A configuration, a registration or an option cannot work. The error's own fields describe the first problem. */
export class ConfigError extends CtxError {
  /** All problems, each with its place. */
  readonly problems: readonly ErrorFields[];

  constructor(first: ErrorFields, others: readonly ErrorFields[] = []) {
    super(first, others);
    this.problems = [first, ...others].map((one) =>
      one.value === undefined ? one : { ...one, value: held(one.value) },
    );
  }
}

/** @throws ConfigError listing the problems, if there are any */
export function refuse(problems: readonly ErrorFields[]): void {
  const [first, ...others] = problems;
  if (first !== undefined) throw new ConfigError(first, others);
}

/** What the tokens of a view that does not fit are spent on. The parts add up to `total`. */
export interface OverflowBreakdown {
  readonly system: number;
  readonly tools: number;
  readonly pinned: number;
  readonly newestUser: number;
  /** Everything else that the model has not read yet, without the newest user message. */
  readonly unread: number;
  readonly rest: number;
  readonly overhead: number;
  readonly total: number;
  readonly limit: number;
}

/** The view is larger than the window, although everything that may be removed was removed. */
export class ContextOverflowError extends CtxError {
  constructor(readonly breakdown: OverflowBreakdown) {
    const { total, limit, ...parts } = breakdown;
    const largest = Object.entries(parts).sort((a, b) => b[1] - a[1])[0];
    super({
      code: 'context-overflow',
      problem: `The view has ${total} tokens, but only ${limit} fit`,
      place: 'view',
      value: breakdown,
      remedy: `The largest share is ${largest?.[0]} with ${largest?.[1]} tokens: shorten or unpin it, or use a model with a larger window.`,
    });
  }
}

function sentences({ problem, place, value, remedy }: ErrorFields): string {
  const at = place === undefined ? '' : `${place}: `;
  const got = value === undefined ? '' : ` (got ${preview(value)})`;
  return `${at}${problem}${got}. ${remedy}`;
}

/** An error may be logged, or kept for long, so it holds no more of a conversation than this. Characters. */
const mostHeld = 2000;

/** The value, or the beginning of its text if that would be long. Never throws. */
function held(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, mostHeld);
  let left = mostHeld;
  for (const { key = '', value: inner } of valuesIn(value)) {
    left -= 1 + key.length + (typeof inner === 'string' ? inner.length : 0);
    if (left < 0 || ArrayBuffer.isView(inner)) return jsonText(value).slice(0, mostHeld);
  }
  return value;
}

/** Formats a value for an error message: JSON of at most 80 characters. Never throws. */
export function preview(value: unknown): string {
  const number =
    typeof value === 'bigint' ? `${value}n` : typeof value === 'number' ? String(value) : undefined;
  const text = number ?? (jsonText(value) || typeof value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

const notFound = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];

/**
 * Handles the failed import of an optional package: `import('pg').catch(packageMissing('a store in Postgres', ['pg@8']))`.
 * @param need what the packages are for
 * @param packages as `npm install` takes them
 * @returns a function that throws CtxError `package-missing`, or the error itself if it is not about a module that was not found
 */
export function packageMissing(need: string, packages: readonly string[]): (error: unknown) => never {
  return (error) => {
    const { code } = (error ?? {}) as { readonly code?: unknown };
    if (!notFound.includes(String(code))) throw error;
    throw new CtxError({
      code: 'package-missing',
      problem: `A package is not installed that is needed for ${need}`,
      value: packages,
      remedy: `Install it where ctx is installed: npm install ${packages.join(' ')}`,
      cause: error,
    });
  };
}
