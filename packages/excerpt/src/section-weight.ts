import type { Section } from './sections.js';
import { openFailureWeight, userWeight } from './weights.js';

/**
 * A factor on the worth of a section's units.
 * @param isOpen for a call that failed: whether the same call did not work later
 */
export function weightOfSection({ kind }: Pick<Section, 'kind'>, isOpen: boolean): number {
  if (kind === 'failure' && isOpen) return openFailureWeight;
  return kind === 'user' ? userWeight : 1;
}
