import { partsOf, partText, type ViewMessage } from '@ctx/core';
import type { Originals } from './originals.js';

/** A text that can be shortened in its place. */
export interface CutPart {
  readonly message: string;
  readonly part: number;
  /** What was said, or the note that an edit put in its place. */
  readonly text: string;
  /** What the view has of it: the same, or what an earlier edit left of it. */
  readonly shown: string;
  readonly role: ViewMessage['message']['role'];
}

/** The texts and results of messages, in order; none of a message that has to stay as it is. */
export function cutPartsOf(messages: readonly ViewMessage[], originals: Originals): CutPart[] {
  return messages
    .filter(({ message, verbatim }) => !verbatim && message.role !== 'system')
    .toSorted((a, b) => a.index - b.index)
    .flatMap((viewed) => {
      const { id, message } = viewed;
      const before = originals.partsOf(viewed);
      return partsOf(message).flatMap((one, part) => {
        const shown = partText(one);
        if (shown === undefined || shown === '') return [];
        const said = partText(before[part] ?? one) ?? shown;
        const text = hasLineOf(shown, said) ? said : shown;
        return [{ message: id, part, text, shown, role: message.role }];
      });
    });
}

/** Whether lines of what was said are left: an edit that left none has put a note in its place, which stays. */
function hasLineOf(shown: string, said: string): boolean {
  return shown === said || shown.split('\n').some((line) => line.trim() !== '' && said.includes(line));
}
