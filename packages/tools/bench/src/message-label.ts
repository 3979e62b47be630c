import { type Message, type ToolCallPart, toolCallsOf } from '@ctx/core';
import { isFields } from '@ctx/core/codec';

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

const named = ['path', 'file_path', 'filePath', 'command', 'cmd', 'query', 'pattern', 'url'];

/** The subject of a call: its path, command or query, otherwise its first text or number; undefined if it has none. */
export function mainArgumentOf({ input }: ToolCallPart): string | undefined {
  if (!isFields(input)) return typeof input === 'string' ? input : undefined;
  const name = named.find((one) => typeof input[one] === 'string');
  const value = name === undefined ? Object.values(input).find(isScalar) : input[name];
  return value === undefined ? undefined : String(value);
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}
