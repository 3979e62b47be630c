/** The handle of the message at a position of the transcript: `#m41` for the 41st. It never changes. */
export function handleOf(index: number): string {
  return `#m${index + 1}`;
}
