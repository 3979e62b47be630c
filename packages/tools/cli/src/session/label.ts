import { type Message, messageText, type ToolCallPart, toolCallsOf } from '@ctx/core';
import { isFields } from '@ctx/core/codec';

/** Characters; a table shortens a label to the terminal. */
const longest = 300;

/** A message in one line: who said it, and what it calls, answers or begins with. */
export function labelOf(message: Message, messages: readonly Message[]): string {
  if (message.summary === true) return 'summary by the agent';
  const calls = toolCallsOf(message).map(callName);
  if (message.role === 'tool') {
    const all = messages.flatMap(toolCallsOf);
    const called = message.content.map(({ toolCallId }) =>
      all.find((call) => call.toolCallId === toolCallId),
    );
    return shortened(`result of ${called.map((call) => (call ? callName(call) : 'a call')).join(' · ')}`);
  }
  if (calls.length > 0) return shortened([message.role, ...calls].join(' · '));
  const text = messageText(message).slice(0, longest).trim();
  return text === '' ? message.role : `${message.role}: ${text}`;
}

const shortened = (label: string) => (label.length > longest ? `${label.slice(0, longest)}…` : label);

function callName(call: ToolCallPart): string {
  return `${call.toolName} ${mainArgument(call).split('\n')[0]}`.trim();
}

const named = ['path', 'file_path', 'filePath', 'command', 'cmd', 'query', 'pattern', 'url'];

/** The subject of a call: its path, command or query, otherwise its first text or number; empty if it has none. */
function mainArgument({ input }: ToolCallPart): string {
  if (!isFields(input)) return typeof input === 'string' ? input : '';
  const name = named.find((one) => typeof input[one] === 'string');
  const isScalar = (value: unknown) => typeof value === 'string' || typeof value === 'number';
  return String((name === undefined ? Object.values(input).find(isScalar) : input[name]) ?? '');
}
