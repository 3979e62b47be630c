import { type Message, toolCallsOf } from '@ctx/core';

/** Messages that stay or leave together: an assistant's message with the results of its calls, or any other message alone. */
export function groupsOf(messages: readonly Message[]): Message[][] {
  const groups: Message[][] = [];
  let open = new Set<string>();
  for (const message of messages) {
    const last = groups.at(-1);
    const answers = message.role === 'tool' && message.content.some(({ toolCallId }) => open.has(toolCallId));
    if (answers && last !== undefined) last.push(message);
    else groups.push([message]);
    if (message.role === 'assistant') open = new Set(toolCallsOf(message).map((call) => call.toolCallId));
  }
  return groups;
}
