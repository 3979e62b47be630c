import type { Message } from '@ctx/core';
import { type Atom, occursIn } from './atoms.js';
import { passagesOf, readerOf } from './passages.js';
import { remembered } from './remembered.js';
import { textOf } from './spoken.js';

/** Whether one of the messages contains the atom. Looks at the newest first, and never searches a message twice. */
export function holds(messages: readonly Message[], atom: Atom): boolean {
  return messages.findLastIndex((message) => holderOf(message)(atom)) >= 0;
}

const holderOf = remembered((message: Message) => {
  const text = textOf(message);
  return remembered((atom: Atom) => occursIn(atom, text), new Map());
}, new WeakMap());

/** Looks in views of one session for the passages that hold an atom. Never searches a message twice for the same. */
export class PassageSearch {
  readonly #originals: ReadonlySet<Message>;
  readonly #readerOf = remembered((message: Message) => readerOf([message]), new WeakMap());
  readonly #passagesOf = remembered(
    (message: Message) => remembered((atom: Atom) => passagesOf(atom, message), new Map()),
    new WeakMap(),
  );

  constructor(readonly messages: readonly Message[]) {
    this.#originals = new Set(messages);
  }

  /** Whether a view holds the atom in one of the messages before a position, whole or as a passage of it. */
  isIn(view: readonly Message[], atom: Atom, before: number): boolean {
    const isOriginal = (message: Message) => this.#originals.has(message);
    if (holds(view.filter(isOriginal), atom)) return true;
    const holding = view.filter((message) => !isOriginal(message) && holderOf(message)(atom));
    if (holding.length === 0) return false;
    const sources = this.messages.slice(0, before).filter((message) => holderOf(message)(atom));
    return sources.some((source) =>
      this.#passagesOf(source)(atom).some(({ passage }) =>
        holding.some((one) => this.#readerOf(one)(passage)),
      ),
    );
  }
}
