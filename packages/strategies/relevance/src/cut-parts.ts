import { partsOf, partText, type ViewMessage } from '@ctx/core';
import { withoutEncoded } from '@ctx/core/kit';
import type { Originals } from './originals.js';

/** A text that can be cut in place. */
export interface CutPart {
  readonly message: string;
  readonly part: number;
  /** The original text without what is encoded in it, or the note that an edit put in its place. */
  readonly text: string;
  /** The text in the view, which an earlier edit may have cut. */
  readonly shown: string;
  readonly role: ViewMessage['message']['role'];
}

/** Lists the texts and results of messages, in order. Leaves out messages that must not change. */
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
        const text = withoutEncoded(hasLineOf(shown, said) ? said : shown);
        return [{ message: id, part, text, shown, role: message.role }];
      });
    });
}

/** Whether the view still shows a line of the original. If not, the shown text is a note, which stays. */
function hasLineOf(shown: string, said: string): boolean {
  return shown === said || shown.split('\n').some((line) => line.trim() !== '' && said.includes(line));
}
