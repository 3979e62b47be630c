import { type Message, type ToolCallPart, toolCallsOf } from '@ctx/core';
import { mainArgumentOf } from './main-argument.js';

/** In characters: one line of a list. */
const labelLength = 80;

/**
 * A message in one line: its role, and what it calls or answers.
 * @param length the most characters
 */
export function messageLabel(message: Message, messages: readonly Message[], length?: number): string {
  return labeller(messages)(message, length);
}

/** Labels the messages of one conversation, whose calls it looks up once. */
export function labeller(messages: readonly Message[]): (message: Message, length?: number) => string {
  const calls = new Map<string, ToolCallPart>();
  for (const call of messages.flatMap(toolCallsOf))
    if (!calls.has(call.toolCallId)) calls.set(call.toolCallId, call);
  const name = (id: string) => {
    const call = calls.get(id);
    return call === undefined ? 'a call' : callName(call);
  };
  return (message, length = labelLength) => {
    const label = (() => {
      switch (message.role) {
        case 'system':
        case 'user':
          return message.role;
        case 'assistant':
          return ['assistant', ...toolCallsOf(message).map(callName)].join(' · ');
        case 'tool':
          return `result of ${message.content.map(({ toolCallId }) => name(toolCallId)).join(' · ')}`;
        default:
          return message satisfies never;
      }
    })();
    return label.length > length ? `${label.slice(0, length)}…` : label;
  };
}

function callName(call: ToolCallPart): string {
  return `${call.toolName} ${(mainArgumentOf(call) ?? '').split('\n')[0]}`.trim();
}
