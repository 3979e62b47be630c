/** What a score means: from 90 on it must be kept, from 70 it is better kept, from 40 it may be compressed, and below it may go. */
export type ImportanceBand = 'must-keep' | 'prefer' | 'compressible' | 'deletable';

export function bandOf(score: number): ImportanceBand {
  if (score >= 90) return 'must-keep';
  if (score >= 70) return 'prefer';
  return score >= 40 ? 'compressible' : 'deletable';
}
