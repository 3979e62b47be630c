import { type Message, partsOf } from '../../transcript/message.js';
import type { DropCallsEdit } from '../edit.js';
import { withoutCalls } from '../edited-message.js';
import { about, type Check, type EditKind, idsIn } from './edit-kind.js';

/** Each call is present with its result, all in one exchange, and every target holds at least one of them. */
const wholePairs: Check<DropCallsEdit> = ({ edit: { messages, calls }, targets }) => {
  const parts = targets.flatMap((entry) => partsOf(entry.message));
  const holds = (type: 'tool-call' | 'tool-result', id: string) =>
    parts.some((part) => part.type === type && part.toolCallId === id);
  const parted = calls.find((id) => !holds('tool-call', id) || !holds('tool-result', id));
  if (parted !== undefined)
    return `the call "${parted}" and its result are not both in ${messages.join(', ')}`;
  if (new Set(targets.map(({ exchange }) => exchange)).size > 1)
    return 'the messages belong to several exchanges';
  const idle = targets.find(({ message }) => withoutCalls(message, calls) === message);
  return about(idle, 'holds none of the calls');
};

const stillSpeaks: Check<DropCallsEdit> = ({ edit, targets }) => {
  const silent = targets.find(
    ({ message }) => message.role === 'assistant' && saysNothing(withoutCalls(message, edit.calls)),
  );
  return about(silent, 'would say nothing without its calls; drop the exchange instead');
};

const endsInNoReasoning: Check<DropCallsEdit> = ({ edit, targets }) => {
  const thinks = targets.find(
    (entry) => partsOf(withoutCalls(entry.message, edit.calls)).at(-1)?.type === 'reasoning',
  );
  return about(thinks, 'would end in reasoning that led to a call');
};

function saysNothing(message: Message): boolean {
  return partsOf(message).every(
    (part) => part.type === 'reasoning' || (part.type === 'text' && part.text.trim() === ''),
  );
}

export const dropCalls: EditKind<DropCallsEdit> = {
  form({ messages, calls }, reason) {
    const [ids, callIds] = [idsIn(messages), idsIn(calls)];
    return ids && callIds && { type: 'drop-calls', messages: ids, calls: callIds, reason };
  },
  targets: ({ messages }) => messages,
  gone: ({ edit, targets }) =>
    targets.filter(({ message }) => withoutCalls(message, edit.calls).content.length === 0).length,
  checks: {
    'tool-pairs': wholePairs,
    'content-not-empty': stillSpeaks,
    'reasoning-unaltered': endsInNoReasoning,
  },
  apply(draft, { edit, targets }, version) {
    for (const entry of targets) {
      const rest = withoutCalls(entry.message, edit.calls);
      if (rest.content.length === 0) draft.drop([entry]);
      else draft.replace(entry, rest, version);
    }
  },
};
