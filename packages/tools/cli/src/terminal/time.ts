/** Ms. */
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

/** `3 minutes ago`; of a time in the future, as a wrong clock gives it, `now`. */
export function ago(ms: number): string {
  if (ms < minute) return 'now';
  const [size, name] = ms < hour ? [minute, 'minute'] : ms < day ? [hour, 'hour'] : [day, 'day'];
  const count = Math.floor(ms / (size as number));
  return `${count} ${name}${count === 1 ? '' : 's'} ago`;
}
