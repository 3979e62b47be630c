import { finish, type Message, partsOf, type Steps } from '@ctx/core';
import { numberText, stringifyJson } from '@ctx/core/codec';
import { digestOf } from '@ctx/core/kit';

/** A history whose hashes are known. */
export interface KnownHistory {
  /** What it says, system prompts apart. */
  readonly said: readonly Message[];
  readonly hashes: readonly number[];
}

/** What is found by the beginnings of a history. */
export interface Prefixes {
  /** One number for each beginning: equal beginnings have equal numbers. What is found by it is compared in full before it is used. */
  readonly hashes: readonly number[];
  /** The messages of the known history that this one begins with. They were compared in full. */
  readonly same: readonly Message[];
}

/**
 * The beginnings of a history. System prompts don't count, as some agents write the time into theirs.
 * @param knownFor finds a history that begins with the same message, by the hash of that: as far as both say the same, the hashes are taken
 * from it, because to compare is several times faster
 */
export function* prefixesInSteps(
  messages: readonly Message[],
  knownFor: (first: number) => KnownHistory | undefined = () => undefined,
): Steps<Prefixes> {
  yield;
  const said = messages.filter(({ role }) => role !== 'system');
  const [first] = said;
  if (first === undefined) return { hashes: [], same: [] };
  const hashes = [hashAfter(0, first)];
  const same: Message[] = [];
  // Taken at once: what is known may go on while this pauses.
  const { said: before, hashes: hashesBefore } = knownFor(hashes[0] as number) ?? nothing;
  while (same.length < said.length) {
    const at = same.length;
    const [known, hash] = [before[at], hashesBefore[at]];
    if (known === undefined || hash === undefined) break;
    yield;
    if (!isSame(said[at], known)) break;
    same.push(known);
    hashes[at] = hash;
  }
  for (const message of said.slice(hashes.length)) {
    yield;
    hashes.push(hashAfter(hashes.at(-1) as number, message));
  }
  return { hashes, same };
}

const nothing: KnownHistory = { said: [], hashes: [] };

/** The hashes alone, without pauses. */
export function prefixHashes(...history: Parameters<typeof prefixesInSteps>): readonly number[] {
  return finish(prefixesInSteps(...history)).hashes;
}

/** How many hashes both begin with. Each is that of everything up to there, so after one that differs all do. */
export function commonLength(one: readonly number[], other: readonly number[]): number {
  let [same, end] = [0, Math.min(one.length, other.length)];
  while (same < end) {
    const middle = (same + end + 1) >> 1;
    if (one[middle - 1] === other[middle - 1]) same = middle;
    else end = middle - 1;
  }
  return same;
}

/** Numbers for the system prompts of histories: equal ones have an equal number. */
export class SystemHashes {
  /** Of prompts that come again as the same object. */
  readonly #known = new WeakMap<Message, number>();

  of(messages: readonly Message[]): number {
    const prompts = messages.filter(({ role }) => role === 'system');
    return prompts.reduce((hash, prompt) => digestOf(hash, String(this.#ofOne(prompt))), 0);
  }

  #ofOne(prompt: Message): number {
    const hash = this.#known.get(prompt) ?? hashAfter(0, prompt);
    this.#known.set(prompt, hash);
    return hash;
  }
}

function hashAfter(hash: number, message: Message): number {
  return digestOf(hash, `${message.role}${stringifyJson(partsOf(message))}`);
}

function isSame(message: Message | undefined, other: Message | undefined): boolean {
  if (message === undefined || other === undefined || message.role !== other.role) return false;
  return isSameJson(partsOf(message), partsOf(other));
}

/** True if both are the same as JSON, also in the order of their keys. */
function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, at) => isSameJson(item, other[at]))
    );
  const keys = Object.keys(one);
  const others = Object.keys(other);
  return (
    keys.length === others.length &&
    keys.every(
      (key, at) =>
        key === others[at] &&
        numberText(one, key) === numberText(other, key) &&
        isSameJson((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
    )
  );
}
