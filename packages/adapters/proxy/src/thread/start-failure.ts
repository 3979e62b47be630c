import { ConfigError, CtxError, type ErrorFields } from '@ctx/core';
import type { StartFailure } from './thread-calls.js';

/** An error as another thread can be told of it. */
export function failureOf(error: unknown): StartFailure {
  if (error instanceof ConfigError) return { kind: 'ConfigError', problems: error.problems.map(copyOf) };
  if (CtxError.isInstance(error)) return { kind: 'CtxError', problems: [copyOf(error)] };
  const { name, message, code } = (error ?? {}) as Readonly<Record<string, unknown>>;
  return { kind: 'other', code: String(code ?? name ?? 'unknown error'), message: String(message) };
}

/** The error that kept another thread from beginning. */
export function errorOf(failure: StartFailure): Error {
  if (failure.kind === 'other') return Object.assign(new Error(failure.message), { code: failure.code });
  const [first, ...others] = failure.problems as readonly [ErrorFields, ...ErrorFields[]];
  return failure.kind === 'ConfigError' ? new ConfigError(first, others) : new CtxError(first);
}

function copyOf({
  code,
  problem,
  place,
  value,
  remedy,
}: Omit<ErrorFields, 'place'> & { readonly place?: string | undefined }): ErrorFields {
  return { code, problem, ...(place !== undefined && { place }), value: plainOf(value), remedy };
}

function plainOf(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return String(value);
  }
}
