import type { Recall } from '../src/index.js';

/** Expects that an identical copy loses nothing; figures that do not apply are left out. */
export function expectEverything({ survival, ctx, far = 100, instructions = 100, lost }: Recall): void {
  expect([survival, ctx, far, instructions, lost]).toEqual([100, 100, 100, 100, []]);
}
