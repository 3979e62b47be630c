import { type Message, messageText, type Priority, toolCallsOf } from '../transcript/message.js';

/** `by-length` calls also a user's short message unimportant; `default` does not. `'cipher'` is the former name of `by-length`. */
export type PriorityPreset = 'default' | 'by-length' | 'cipher';

export interface PriorityInput {
  readonly message: Message;
  /** Position among `count` messages. */
  readonly index: number;
  readonly count: number;
  readonly tokens: number;
}

/**
 * The priority of one message; the first rule that matches decides. Existing ones are kept; system is CRITICAL; tools, the
 * first and last two messages, and over 800 tokens are HIGH; tool calls are HIGH; under 20 tokens without a question
 * mark, `?` or `？`, are LOW.
 */
export function assignPriority(input: PriorityInput, preset: PriorityPreset = 'default'): Priority {
  const { message, index, count, tokens } = input;
  if (message.priority !== undefined) return message.priority;
  if (message.role === 'system') return 'CRITICAL';
  if (message.role === 'tool') return 'HIGH';
  if (index < 2 || index >= count - 2) return 'HIGH';
  if (tokens > 800) return 'HIGH';
  if (toolCallsOf(message).length > 0) return 'HIGH';
  const mayBeLow = preset !== 'default' || message.role !== 'user';
  return mayBeLow && tokens < 20 && !isQuestion(message) ? 'LOW' : 'NORMAL';
}

/** Priorities of a whole list; they depend on the positions, so they are assigned anew for every plan. */
export function assignPriorities(
  messages: readonly { readonly message: Message; readonly tokens: number }[],
  preset: PriorityPreset = 'default',
): Priority[] {
  return messages.map(({ message, tokens }, index) =>
    assignPriority({ message, tokens, index, count: messages.length }, preset),
  );
}

function isQuestion(message: Message): boolean {
  return /[?？]/.test(messageText(message));
}
