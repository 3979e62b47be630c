import { reservedIds } from '../../transcript/transcript.js';
import type { MergeEdit } from '../edit.js';
import { mergedMessage } from '../edited-message.js';
import { type EditKind, fewerTokens, idsIn, saysSomething, wholeExchanges } from './edit-kind.js';

export const merge: EditKind<MergeEdit> = {
  form({ messages, text, placement }, reason) {
    const ids = idsIn(messages);
    if (typeof text !== 'string' || (placement !== 'first' && placement !== 'last')) return undefined;
    return ids && { type: 'merge', messages: ids, text, placement, reason };
  },
  targets: ({ messages }) => messages,
  keepsPlace: false,
  result: ({ text }) => mergedMessage(text),
  gone: ({ targets }) => targets.length - 1,
  checks: {
    'tool-pairs': wholeExchanges,
    'content-not-empty': saysSomething,
    'fewer-tokens': fewerTokens,
  },
  apply(draft, { edit, targets, message = mergedMessage(edit.text) }, version) {
    draft.merge(targets, message, { id: `${reservedIds}${version}`, placement: edit.placement });
  },
};
