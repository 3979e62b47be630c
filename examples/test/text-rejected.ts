import { CtxError } from '@ctx/core';

/** What a task comes to, or the message of its error if it is one of ours. */
export const rejected = async (run: () => Promise<unknown>) => {
  try {
    return await run();
  } catch (error) {
    return CtxError.isInstance(error) ? error.message : Promise.reject(error);
  }
};
