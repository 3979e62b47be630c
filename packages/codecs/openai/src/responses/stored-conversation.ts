import { isFields } from '@ctx/core/codec';
import { typeOf } from './item-kind.js';

/** A part of a conversation that the provider has and the request has not. */
export interface StoredConversation {
  readonly kind: 'previous-response' | 'conversation' | 'item-reference';
  readonly id: string;
}

/**
 * What a request refers to in the provider's store: an earlier response, a conversation or an item, by its id. Nothing can be counted or
 * taken out of what is not sent.
 * @param body of a request to `/responses`
 * @returns undefined where everything is in the request
 */
export function storedConversation(body: unknown): StoredConversation | undefined {
  if (!isFields(body)) return undefined;
  const { previous_response_id: previous, conversation, input } = body;
  if (isId(previous)) return { kind: 'previous-response', id: previous };
  const id = isFields(conversation) ? conversation.id : conversation;
  if (isId(id)) return { kind: 'conversation', id };
  const items: unknown[] = Array.isArray(input) ? input : [];
  const reference = items.find((item) => isFields(item) && typeOf(item) === 'item_reference');
  return isFields(reference) && isId(reference.id) ? { kind: 'item-reference', id: reference.id } : undefined;
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
