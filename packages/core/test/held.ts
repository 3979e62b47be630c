import { wordCounter } from '@ctx/testing';
import { finish, type Message, MessageCounter, type TokenCounter, View } from '../src/index.js';
import { Transcript } from '../src/transcript/transcript.js';
import { applyEdits, type GateRules } from '../src/view/gate.js';

/** Messages in a transcript and in a view, without a manager; a token is a word unless told otherwise. */
export function held(messages: readonly Message[], counter: TokenCounter = wordCounter, overhead = 0) {
  const counted = new MessageCounter(counter, { message: overhead, conversation: 0 });
  const count = (message: Message) => counted.message(message);
  const transcript = new Transcript();
  const view = new View();
  for (const message of messages) for (const added of transcript.append(message)) view.append(added, count);
  const rules = { transcript, pins: new Set<string>(), minMessagesToKeep: 1 };
  /** What the gate makes of edits. */
  const judged = (edits: readonly unknown[], own: Partial<GateRules> = {}, before = view, record = 'r') =>
    finish(applyEdits(before, edits, { ...rules, ...own }, count, { record }));
  /** The invariants that edits would break. */
  const rejections = (edits: readonly unknown[], own?: Partial<GateRules>) =>
    judged(edits, own).rejected.map(({ invariant }) => invariant);
  return { transcript, view, count, rules, judged, rejections };
}
