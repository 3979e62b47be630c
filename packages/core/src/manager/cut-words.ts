import type { Meter } from '../budget/meter.js';
import type { CompressionRecord } from '../compress/record.js';
import { withoutEncoded } from '../kit/encoded.js';
import { type MessageId, partsOf, partText } from '../transcript/message.js';
import { isExpendable } from '../transcript/persons-words.js';
import { protectionOf, stayingIn } from '../view/protection.js';
import type { ManagerState } from './manager-state.js';

/** Of what must stay word for word, a message that the view shows shortened. */
interface Cut {
  readonly id: MessageId;
  /** Tokens as it is shown, and of the whole message. */
  readonly tokens: number;
  readonly whole: number;
  /** Whether words of a user are missing, and not only what a program wrote among them. */
  readonly isOfUser: boolean;
}

/** What the view shows shortened of the task, the newest user message and what the model has not read. */
export function cutsIn({ conversation }: Meter): Cut[] {
  const { view, transcript, pins, count } = conversation;
  return view.entries.flatMap(({ id, exchange, message, tokens }): Cut[] => {
    if (protectionOf({ id, exchange, message }, { transcript, pins }) === undefined) return [];
    const { message: whole, excerpt } = transcript.get(id) ?? {};
    const said = excerpt ?? whole;
    if (said === undefined || said === message) return [];
    const texts = partsOf(message).map((part) => partText(part));
    const missing = partsOf(said).flatMap((part, at) => {
      const text = partText(part);
      // Base64 is not missed: no model can read it.
      const isThere = text === texts[at] || (text !== undefined && withoutEncoded(text) === texts[at]);
      return isThere ? [] : [text ?? ''];
    });
    if (missing.length === 0) return [];
    const isOfUser = said.role === 'user' && missing.some((text) => !isExpendable(text));
    return [{ id, tokens, whole: count(said).tokens, isOfUser }];
  });
}

/**
 * The records that shortened what must stay and would fit the window now, newest first: a window that was too small for a while, or a request
 * that a provider refused, does not cost the rest of the conversation its task.
 */
export function needlessCuts(meter: Meter): string[] {
  const cuts = cutsIn(meter);
  if (cuts.length === 0) return [];
  const { conversation, budget } = meter;
  const missing = cuts.reduce((sum, { tokens, whole }) => sum + whole - tokens, 0);
  const { tokens, toolCalls, imageTokens } = stayingIn(conversation.view, conversation.gateRules);
  if (tokens + missing > meter.viewTokensWithin(budget.limit, { tokens, toolCalls, imageTokens })) return [];
  const ids = new Set(cuts.map(({ id }) => id));
  return conversation.records
    .filter(({ edits }) => edits.some((edit) => edit.type === 'replace' && ids.has(edit.message)))
    .map(({ id }) => id)
    .reverse();
}

/** Why a compression ran that a provider's refusal asked for. */
export const recoveryReason = 'the provider reported a context overflow';

/**
 * Of the newest records those that a refusal asked for, if a larger request than the refused one was answered since: what they took fits again,
 * unless it would have to leave at once. Newest first.
 */
export function needlessRecoveries({ conversation, meter }: ManagerState): string[] {
  const { transcript, view, records } = conversation;
  const newest = records.slice(records.findLastIndex((one) => !isOfRefusal(one) && !one.beforeSend) + 1);
  const at = view.entries.findIndex(({ id }) => id === transcript.newestAnswer?.id);
  const before = view.entries.slice(0, Math.max(0, at)).reduce((sum, { tokens }) => sum + tokens, 0);
  const answered = before + meter.fixedTokens;
  const refused = newest.filter(isOfRefusal);
  const needless = refused.filter(({ tokensBefore }) => tokensBefore < answered);
  if (needless.length === 0) return [];
  const taken = needless.reduce((sum, one) => sum + one.tokensBefore - one.tokensAfter, 0);
  const { start, limit } = meter.budget;
  const room = refused
    .filter((one) => !needless.includes(one))
    .reduce(
      (least, { tokensBefore }) => Math.min(least, tokensBefore - meter.fixedTokens),
      meter.viewTokensFor(Math.min(start, limit)),
    );
  return view.tokens + taken < room ? needless.map(({ id }) => id).reverse() : [];
}

const isOfRefusal = ({ reason }: CompressionRecord) => reason === recoveryReason;
