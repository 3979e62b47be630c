import type { LawName } from './laws.js';

/** A law that something does not keep, and why. */
export interface Deviation<Law extends string = LawName> {
  readonly law: Law;
  readonly reason: string;
}

/** What the title of a suite says of the laws that are not checked. */
export function exceptionsOf(deviations: readonly Deviation<string>[]): string {
  return deviations.map(({ law, reason }) => `, but not "${law}", because ${reason}`).join('');
}
