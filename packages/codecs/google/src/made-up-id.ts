/**
 * The id of a call that has none: the Developer API gives calls without ids. Made of the number of its message and its place in it, so that
 * no other call of the conversation has it.
 */
export function madeUpId(message: number, part: number): string {
  return `unnamed_${message}_${part}`;
}

/** True for an id that this codec made up, and that the provider never sees. */
export function isMadeUp(id: string): boolean {
  return /^unnamed_\d+_\d+$/.test(id);
}
