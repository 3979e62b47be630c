/** Calls `then` once after so many ms, and returns a function that prevents it. */
export type Wait = (ms: number, then: () => void) => () => void;

/** Waits by the timer of the runtime. */
export const waiting: Wait = (ms, then) => {
  // biome-ignore lint/style/noRestrictedGlobals: the one timer of core; a host may inject its own.
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
};
