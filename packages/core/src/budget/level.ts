import { CompressionLevel } from '../base/compression-level.js';

export interface LevelThresholds {
  readonly warn: number;
  readonly compress: number;
}

/** The level at `tokens` of `windowTokens`. HARD starts at 0.95, EMERGENCY at 1. If `compress` is 0.95 or more, there is no SOFT. */
export function levelOf(
  tokens: number,
  windowTokens: number,
  { warn, compress }: LevelThresholds,
): CompressionLevel {
  if (tokens < warn * windowTokens) return CompressionLevel.NONE;
  if (tokens < compress * windowTokens) return CompressionLevel.WARNING;
  if (tokens < 0.95 * windowTokens) return CompressionLevel.SOFT;
  if (tokens < windowTokens) return CompressionLevel.HARD;
  return CompressionLevel.EMERGENCY;
}
