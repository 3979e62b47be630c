import type { Meter } from '../budget/meter.js';
import { withoutEncoded } from '../kit/encoded.js';
import { type Message, type MessageId, partsOf, partText } from '../transcript/message.js';
import { isExpendable } from '../transcript/persons-words.js';
import { protectionOf } from '../view/protection.js';
import { stayingIn } from '../view/staying-tokens.js';

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
    const said = transcript.get(id)?.message;
    if (said === undefined || said === message || differsByBytes(said, message)) return [];
    const isOfUser = said.role === 'user' && hasOtherWords(said, message);
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

/** Whether one of the parts differs that are not expendable. */
function hasOtherWords(said: Message, shown: Message): boolean {
  const texts = partsOf(shown).map((part) => partText(part));
  return partsOf(said).some((part, at) => {
    const text = partText(part) ?? '';
    return text !== texts[at] && !isExpendable(text);
  });
}

/** Whether nothing is missing but base64, which no model can read. */
function differsByBytes(said: Message, shown: Message): boolean {
  const texts = partsOf(shown).map((part) => partText(part));
  return partsOf(said).every((part, at) => {
    const text = partText(part);
    return text === texts[at] || (text !== undefined && withoutEncoded(text) === texts[at]);
  });
}
