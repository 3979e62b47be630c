import type { Message } from '@ctx/core';
import { type Atom, occursIn } from './atoms.js';
import { type Passage, passagesOf, readerOf } from './passages.js';
import { textOf } from './spoken.js';

const texts = new WeakMap<Message, string>();
const found = new WeakMap<Message, Map<Atom, boolean>>();

/** Whether one of the messages contains the atom. Looks at the newest first, and never searches a message twice. */
export function holds(messages: readonly Message[], atom: Atom): boolean {
  return messages.findLastIndex((message) => holdsAtom(message, atom)) >= 0;
}

function holdsAtom(message: Message, atom: Atom): boolean {
  const known = found.get(message) ?? new Map<Atom, boolean>();
  found.set(message, known);
  const before = known.get(atom);
  if (before !== undefined) return before;
  const text = texts.get(message) ?? textOf(message);
  texts.set(message, text);
  const held = occursIn(atom, text);
  known.set(atom, held);
  return held;
}

/** Looks in views of one session for the passages that hold an atom. Never searches a message twice for the same. */
export class PassageSearch {
  readonly #originals: ReadonlySet<Message>;
  readonly #readers = new WeakMap<Message, ReturnType<typeof readerOf>>();
  readonly #passages = new WeakMap<Message, Map<Atom, readonly Passage[]>>();

  constructor(readonly messages: readonly Message[]) {
    this.#originals = new Set(messages);
  }

  /** Whether a view holds the atom in one of the messages before a position, whole or as a passage of it. */
  isIn(view: readonly Message[], atom: Atom, before: number): boolean {
    const changed = view.filter((message) => !this.#originals.has(message));
    if (
      view.length > changed.length &&
      holds(
        view.filter((one) => this.#originals.has(one)),
        atom,
      )
    )
      return true;
    const holding = changed.filter((message) => holdsAtom(message, atom));
    if (holding.length === 0) return false;
    const sources = this.messages.slice(0, before).filter((message) => holdsAtom(message, atom));
    return sources.some((source) =>
      this.#passagesOf(source, atom).some(({ passage }) =>
        holding.some((one) => this.#readerOf(one)(passage)),
      ),
    );
  }

  #readerOf(message: Message): ReturnType<typeof readerOf> {
    const known = this.#readers.get(message) ?? readerOf([message]);
    this.#readers.set(message, known);
    return known;
  }

  #passagesOf(message: Message, atom: Atom): readonly Passage[] {
    const byAtom = this.#passages.get(message) ?? new Map<Atom, readonly Passage[]>();
    this.#passages.set(message, byAtom);
    const known = byAtom.get(atom) ?? passagesOf(atom, message);
    byAtom.set(atom, known);
    return known;
  }
}
