import { type Message, partsOf, partText } from '@ctx/core';
import { type CountTokens, totalTokens } from './count-tokens.js';

/** What the model has not read yet: everything after its newest message. */
export function unreadOf(history: readonly Message[]): readonly Message[] {
  return history.slice(history.findLastIndex(({ role }) => role === 'assistant') + 1);
}

/**
 * Whether a view holds every text that the model has not read yet word for word. Undefined if these texts, the system prompt and the newest
 * user message are over the limit by themselves.
 */
export function firstLookOf(
  history: readonly Message[],
  view: readonly Message[],
  { limit, tokensOf }: { readonly limit: number; readonly tokensOf: CountTokens },
): boolean | undefined {
  const unread = unreadOf(history);
  const newestUser = history.findLast(({ role }) => role === 'user');
  const needed = new Set([...history.filter(({ role }) => role === 'system'), ...unread]);
  if (newestUser !== undefined) needed.add(newestUser);
  if (totalTokens([...needed], tokensOf) > limit) return undefined;
  const shown = new Set(view);
  const texts = view.flatMap(textsOf);
  return unread.every(
    (message) =>
      shown.has(message) || textsOf(message).every((text) => texts.some((other) => other.includes(text))),
  );
}

function textsOf(message: Message): string[] {
  return partsOf(message).flatMap((part) => partText(part) ?? []);
}
