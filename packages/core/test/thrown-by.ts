import { CtxError } from '../src/index.js';

/** The error of core with which something is refused. */
export function thrownBy(action: () => unknown): CtxError {
  try {
    action();
  } catch (error) {
    if (CtxError.isInstance(error)) return error;
    throw error;
  }
  throw new Error('Nothing was thrown.');
}
