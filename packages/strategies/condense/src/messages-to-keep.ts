/**
 * How many of the newest and most important messages to keep. It is 3, but fewer if the window is nearly full or the
 * conversation long, and more if there is room or it is short.
 * @param usagePercent share of the window in use, 0–100
 */
export function messagesToKeep(
  total: number,
  usagePercent: number,
  { min = 2, max = 5 }: { readonly min?: number; readonly max?: number } = {},
): number {
  let keep = 3;
  if (usagePercent > 85) keep = 2;
  else if (usagePercent < 50) keep = 5;
  if (total > 50) keep = Math.min(keep, 2);
  if (total < 10) keep = Math.max(keep, 4);
  return Math.max(min, Math.min(max, keep));
}
