import { type Message, messageText, toolCallsOf } from '../transcript/message.js';
import type { Priority } from '../transcript/priorities.js';

/** `by-length` also rates a user's short message LOW; `default` does not. `'cipher'` is the former name of `by-length`. */
export const priorityPresets = ['default', 'by-length', 'cipher'] as const;
export type PriorityPreset = (typeof priorityPresets)[number];

/**
 * The priority of one message. The first matching rule decides: a priority the message already has is kept; system
 * messages are CRITICAL; tool messages, the first two and last two messages, messages over 800 tokens and messages with
 * tool calls are HIGH; messages under 20 tokens without a question mark (`?` or `？`) are LOW.
 */
export function assignPriority(
  {
    message,
    index,
    count,
    tokens,
  }: { readonly message: Message } & Readonly<Record<'index' | 'count' | 'tokens', number>>,
  preset: PriorityPreset = 'default',
): Priority {
  if (message.priority !== undefined) return message.priority;
  if (message.role === 'system') return 'CRITICAL';
  const isAtAnEnd = index < 2 || index >= count - 2;
  if (message.role === 'tool' || isAtAnEnd || tokens > 800 || toolCallsOf(message).length > 0) return 'HIGH';
  const mayBeLow = preset !== 'default' || message.role !== 'user';
  return mayBeLow && tokens < 20 && !/[?？]/.test(messageText(message)) ? 'LOW' : 'NORMAL';
}
