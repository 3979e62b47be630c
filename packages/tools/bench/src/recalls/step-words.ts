import { type Message, messageText, toolCallsOf } from '@ctx/core';
import { type Atom, positionsOf } from '../atoms.js';
import { spokenBy } from '../spoken.js';

/** What is known before a step: the last message of the user, and the calls of the last message of the assistant that has some. */
export function wordsBefore(messages: readonly Message[], step: number): string {
  const said = messages.slice(0, step);
  const user = said.findLast(({ role }) => role === 'user');
  const called = said.findLast((message) => toolCallsOf(message).length > 0);
  return [user === undefined ? '' : messageText(user), called === undefined ? '' : spokenBy(called)].join(
    '\n',
  );
}

/** A text without some atoms. */
export function without(text: string, atoms: readonly Atom[]): string {
  let blind = text;
  for (const atom of atoms) {
    for (const at of [...positionsOf(atom, blind)].reverse())
      blind = `${blind.slice(0, at)} ${blind.slice(at + atom.length)}`;
  }
  return blind;
}
