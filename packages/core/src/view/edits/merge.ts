import { reservedIds } from '../../transcript/transcript.js';
import type { MergeEdit } from '../edit.js';
import { mergedMessage } from '../edited-message.js';
import { type Check, type EditKind, fewerTokens, idsIn, saysSomething, wholeExchanges } from './edit-kind.js';

/** What was said after a user message that stays does not come to stand before it. */
const keepsOrder: Check<MergeEdit> = ({ targets }, draft) => {
  const between = draft.userMessageWithin(targets);
  return between && `"${between.id}" of the user would stay amid what the merge stands for`;
};

/** Notes that were cut short while there was no room may be written again at greater length, if all edits together make the view smaller. */
const fewerUnlessNotes: Check<MergeEdit> = (change, draft) =>
  change.targets.some(({ id, origins }) => !origins.isOnly(id)) ? undefined : fewerTokens(change, draft);

export const merge: EditKind<MergeEdit> = {
  form({ messages, text, placement }, reason) {
    const ids = idsIn(messages);
    if (typeof text !== 'string' || (placement !== 'first' && placement !== 'last')) return undefined;
    return ids && { type: 'merge', messages: ids, text, placement, reason };
  },
  targets: ({ messages }) => messages,
  result: ({ text }) => mergedMessage(text),
  checks: {
    'tool-pairs': wholeExchanges,
    order: keepsOrder,
    'content-not-empty': saysSomething,
    'fewer-tokens': fewerUnlessNotes,
  },
  apply(draft, { edit, targets, message = mergedMessage(edit.text) }, version) {
    draft.merge(targets, message, { id: `${reservedIds}${version}`, placement: edit.placement });
  },
};
