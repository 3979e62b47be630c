import { finish, type Message, partsOf, type Steps } from '@ctx/core';
import { digestOf } from '@ctx/core/kit';

/** A history whose hashes are known. */
export interface KnownHistory {
  /** What it says, system prompts apart. */
  readonly said: readonly Message[];
  readonly hashes: readonly number[];
}

/**
 * One number for each beginning of a history: equal beginnings have equal numbers. System prompts don't count, as some agents write the time
 * into theirs. What is found by it is compared in full before it is used.
 * @param knownFor finds a history that begins with the same message, by the hash of that: as far as both say the same, the hashes are taken
 * from it, because to compare is several times faster
 */
export function* prefixHashesInSteps(
  messages: readonly Message[],
  knownFor: (first: number) => KnownHistory | undefined = () => undefined,
): Steps<number[]> {
  yield;
  const said = messages.filter(({ role }) => role !== 'system');
  const [first] = said;
  if (first === undefined) return [];
  const hashes = [hashAfter(0, first)];
  const known = knownFor(hashes[0] as number);
  if (known !== undefined) {
    // Taken at once: what is known may go on while this pauses.
    const { said: before, hashes: hashesBefore } = known;
    while (hashes.length < said.length) {
      const at = hashes.length;
      const hash = hashesBefore[at];
      if (hash === undefined || !isSame(said[at], before[at])) break;
      hashes.push(hash);
      yield;
    }
  }
  for (const message of said.slice(hashes.length)) {
    yield;
    hashes.push(hashAfter(hashes.at(-1) as number, message));
  }
  return hashes;
}

/** The same without pauses. */
export function prefixHashes(...history: Parameters<typeof prefixHashesInSteps>): number[] {
  return finish(prefixHashesInSteps(...history));
}

function hashAfter(hash: number, message: Message): number {
  return digestOf(hash, `${message.role}${JSON.stringify(partsOf(message))}`);
}

function isSame(message: Message | undefined, other: Message | undefined): boolean {
  if (message === undefined || other === undefined || message.role !== other.role) return false;
  return isSameJson(partsOf(message), partsOf(other));
}

/** True if both are the same as JSON, also in the order of their keys. */
function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  const others = Object.keys(other);
  return (
    keys.length === others.length &&
    keys.every(
      (key, at) =>
        key === others[at] &&
        isSameJson((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
    )
  );
}
