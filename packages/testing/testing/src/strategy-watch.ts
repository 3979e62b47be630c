import { type CompressionStrategy, finish } from '@ctx/core';
import { deepFreeze } from './deep-freeze.js';
import { withoutOutside } from './without-outside.js';

/**
 * The strategy, planning on a frozen context and without clock, dice, timers, network and console: it throws where it changes the one or uses
 * the others. `used` has what it used, also where it catches the error. Its work in slices does not pause: what the process does meanwhile would
 * be taken for its own.
 */
export function watched(strategy: CompressionStrategy): {
  readonly strategy: CompressionStrategy;
  readonly used: readonly string[];
} {
  const used: string[] = [];
  const { name, emits, partial = false } = strategy;
  return {
    used,
    strategy: {
      name,
      emits,
      partial,
      plan: (context) =>
        withoutOutside(
          () => strategy.plan(deepFreeze({ ...context, inSlices: async (steps) => finish(steps) })),
          (what) => used.push(what),
        ),
    },
  };
}
