/** A manager's state in words, for a status line. */
export interface ManagerStatus {
  /** `75%` of the window. */
  readonly contextUsage: string;
  /** Messages of the view. */
  readonly messagesCount: number;
  /** Compressions so far, including undone ones. */
  readonly compressionCount: number;
  /** `2 minutes ago`, or `never`. */
  readonly lastCompression: string;
}

const units = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
] as const;

/** How long ago a moment was, in the largest unit that has fully passed. Both times are in ms since epoch. */
export function ago(moment: number | undefined, now: number): string {
  if (moment === undefined) return 'never';
  const passed = Math.max(0, now - moment);
  const unit = units.find(([length]) => passed >= length);
  if (unit === undefined) return 'just now';
  const count = Math.floor(passed / unit[0]);
  return `${count} ${unit[1]}${count === 1 ? '' : 's'} ago`;
}
