import type { Counted } from '../count/coefficients.js';
import { type MessageId, toolCallsOf } from '../transcript/message.js';
import { bringsRules } from '../transcript/persons-words.js';
import type { Transcript } from '../transcript/transcript.js';
import type { InvariantName } from './invariants.js';
import type { View } from './view.js';
import type { ViewEntry } from './view-entry.js';

/** How a message is protected from a compression, and by which guarantee. */
export interface Protection {
  readonly by: InvariantName;
  /** `text`: it stays unchanged. `place`: it stays, but its text may be shortened. */
  readonly keeps: 'text' | 'place';
}

export interface ProtectionRules {
  readonly transcript: Transcript;
  readonly pins?: ReadonlySet<MessageId> | undefined;
  /** All that must stay as it is would not fit the window: the task and what the model has not read may get shorter texts. */
  readonly mayShorten?: boolean | undefined;
  /** What was said before the first answer has not been read either; only who compresses by hand may let it leave. */
  readonly keepsUnanswered?: boolean | undefined;
  /** The rules of a project that a program brings count as unread in every request. */
  readonly keepsRules?: boolean | undefined;
}

type Said = Pick<ViewEntry, 'id' | 'message' | 'exchange'>;

/** Decides what a compression may touch; no other code does. Undefined if everything is allowed. */
export function protectionOf(said: Said, rules: ProtectionRules): Protection | undefined {
  const { transcript, pins, mayShorten = false, keepsUnanswered = false, keepsRules = false } = rules;
  const keeps = mayShorten ? 'place' : 'text';
  const { id, message, exchange } = said;
  if (message.role === 'system') return { by: 'system-stays', keeps: 'text' };
  if (isPinned({ id, message }, pins)) return { by: 'pinned-stays', keeps: 'text' };
  if (id === transcript.newestUser?.id) return { by: 'newest-user-stays', keeps };
  if (id === transcript.task?.id || id === transcript.question?.id) return { by: 'task-stays', keeps };
  if (exchange === transcript.openExchange) return { by: 'tool-pairs', keeps };
  const isFirst = keepsUnanswered && transcript.newestAnswer === undefined;
  const isRules = keepsRules && bringsRules(message, transcript.withoutTask.isAgentText);
  return isFirst || isRules || isUnread(exchange, transcript) ? { by: 'unread-stays', keeps } : undefined;
}

/** True for a message that no edit may touch, because someone said so. */
export function isPinned(
  { id, message }: Pick<Said, 'id' | 'message'>,
  pins: ReadonlySet<MessageId> | undefined,
): boolean {
  return pins?.has(id) === true || message.pinned === true || message.priority === 'CRITICAL';
}

/**
 * True for what the model has not read yet: everything after the newest message of the assistant, and the results of
 * the calls in that message, together with the message itself. Before the assistant first speaks, all is unread.
 */
function isUnread(exchange: number, { newestAnswer }: Transcript): boolean {
  if (newestAnswer === undefined || exchange < newestAnswer.exchange) return false;
  return exchange > newestAnswer.exchange || toolCallsOf(newestAnswer.message).length > 0;
}

const because: Partial<Record<InvariantName, string>> = {
  'system-stays': 'is a system message',
  'pinned-stays': 'is pinned',
  'newest-user-stays': 'is the newest user message',
  'task-stays': 'is the task that is being worked on, or the question that the user has answered',
  'tool-pairs': 'has a call that waits for its result',
};

export function protectedBecause({ by }: Protection): string {
  return because[by] ?? 'has not been read by the model yet';
}

/** The size of what must stay. `lastingTokens` are those of what stays for good: system prompt and pinned messages. */
export function stayingIn({ entries }: View, rules: ProtectionRules) {
  const { transcript, pins, keepsUnanswered } = rules;
  const sums = { tokens: 0, lastingTokens: 0, toolCalls: 0, imageTokens: 0 };
  for (const entry of entries) {
    const protection = protectionOf(entry, { transcript, pins, keepsUnanswered });
    if (protection?.keeps !== 'text') continue;
    const lasts = protection.by === 'system-stays' || protection.by === 'pinned-stays';
    sums.tokens += entry.tokens;
    sums.lastingTokens += lasts ? entry.tokens : 0;
    sums.toolCalls += entry.toolCalls;
    sums.imageTokens += entry.imageTokens;
  }
  return sums;
}

/** True if the messages that must stay unchanged do not fit the window by themselves, so that some of them have to be shortened. */
export function isCrowded(
  view: View,
  rules: ProtectionRules,
  windowTokensFor: (staying: Counted) => number,
): boolean {
  const staying = stayingIn(view, rules);
  return rules.transcript.length > 0 && staying.tokens > windowTokensFor(staying);
}
