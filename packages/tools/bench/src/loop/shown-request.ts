import type { ChatMessage } from '@ctx/codec-openai';
import { isFields } from '@ctx/core/codec';

/** All that the scripted model knows: what a request shows. */
export interface ShownRequest {
  /** The texts and calls of all messages, oldest first, with an empty line between two messages. */
  readonly text: string;
  /** The newest message. */
  readonly newest: { readonly role: string; readonly text: string };
  /** The names of the newest calls. */
  readonly called: readonly string[];
}

export function shownRequest(messages: readonly ChatMessage[]): ShownRequest {
  const newest = messages.at(-1);
  const calling = messages.findLast(({ role }) => role === 'assistant');
  return {
    text: messages.map(shownMessage).join('\n\n'),
    newest: { role: newest?.role ?? 'user', text: newest === undefined ? '' : contentOf(newest) },
    called: calling === undefined ? [] : callsOf(calling).map(({ name }) => name),
  };
}

/** What a message says, and its calls with their arguments as JSON. */
export function shownMessage(message: ChatMessage): string {
  const calls = callsOf(message).map(({ name, input }) => `${name} ${input}`);
  return [contentOf(message), ...calls].filter((text) => text !== '').join('\n');
}

function contentOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return content;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  return parts.map((part) => (isFields(part) && typeof part.text === 'string' ? part.text : '')).join('\n');
}

/** The calls of a message, with their arguments as JSON. */
export function callsOf(
  message: ChatMessage,
): { readonly id: string; readonly name: string; readonly input: string }[] {
  const calls: readonly unknown[] =
    'tool_calls' in message && Array.isArray(message.tool_calls) ? message.tool_calls : [];
  return calls.flatMap((one) =>
    isFields(one) && isFields(one.function)
      ? [{ id: String(one.id), name: String(one.function.name), input: String(one.function.arguments) }]
      : [],
  );
}
