import type { Message } from '@ctx/core';
import type { BenchSession } from './bench-session.js';
import { oldTextsOf, solid } from './old-texts.js';
import { remembered } from './remembered.js';
import { leavesOf, sourcesOf } from './spoken.js';

/** How much of what an edit replaces a view shows. */
export interface EditSight {
  /** Every line is somewhere in the view. */
  readonly whole: boolean;
  /** The lines of each replaced text are next to each other in one message of the view. Implies `whole`. */
  readonly block: boolean;
}

/** The texts that an edit replaces, each as its lines. */
type OldTexts = readonly (readonly string[])[];

/** For each message the texts that it replaces, if it edits and every line of them occurs in an earlier message; otherwise undefined. */
export const seenEditsOf = remembered(
  ({ messages }: BenchSession): readonly (OldTexts | undefined)[] =>
    messages.map((message, index) => {
      const texts = oldTextsOf(message);
      const isSeen = texts.length > 0 && texts.flat().every((line) => shows(messages, line, index));
      return isSeen ? texts : undefined;
    }),
  new WeakMap(),
);

/** Whether a view shows what an edit replaces, without regard to line numbers, marks of a diff, indentation and blank lines. */
export function sightOf(texts: OldTexts, view: readonly Message[]): EditSight {
  const block = texts.every((lines) => view.some((message) => standsIn(message, lines)));
  return { whole: block || texts.flat().every((line) => shows(view, line)), block };
}

function shows(messages: readonly Message[], line: string, end = messages.length): boolean {
  for (let index = end - 1; index >= 0; index -= 1)
    if (joinedOf(messages[index] as Message).includes(line)) return true;
  return false;
}

/** A line may have a number or a path before it, and a replaced text may begin and end inside a line. */
function standsIn(message: Message, lines: readonly string[]): boolean {
  if (!lines.every((line) => joinedOf(message).includes(line))) return false;
  const said = linesOf(message);
  return said.some((_, at) => lines.every((line, offset) => said[at + offset]?.includes(line) === true));
}

const joinedOf = remembered((message: Message) => linesOf(message).join('\n'), new WeakMap());

function linesOf(message: Message): string[] {
  return sourcesOf(message).flatMap((text) => solid((decoded(text) ?? text).split('\n')));
}

/** The texts inside of a result that is JSON, one after the other. */
function decoded(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return leavesOf(JSON.parse(text), { keys: true }).join('\n');
  } catch {
    return undefined;
  }
}
