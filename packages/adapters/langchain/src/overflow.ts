import { isOverflowError } from '@ctx/core';

/**
 * The error of an overflow in words that core knows; `undefined` for any other error. LangChain's own class of overflows says so by its name,
 * whatever its message; an error that passes through a middleware keeps the name.
 */
export function overflowIn(error: unknown): unknown {
  if (isOverflowError(error)) return error;
  const isNamed = error instanceof Error && error.name === 'ContextOverflowError';
  return isNamed ? new Error('The context length was exceeded.', { cause: error }) : undefined;
}
