/** What a score means: a message must be kept from 90, should be kept from 70, may be compressed from 40, and may be deleted below. */
export type ImportanceBand = 'must-keep' | 'prefer' | 'compressible' | 'deletable';

export function bandOf(score: number): ImportanceBand {
  if (score >= 90) return 'must-keep';
  if (score >= 70) return 'prefer';
  return score >= 40 ? 'compressible' : 'deletable';
}
