import { entriesOf, memoryArchive } from '@ctx/archive';
import { type Message, type ToolCallPart, toolCallsOf } from '@ctx/core';
import { type PassageSource, passagesOf } from '../src/index.js';

/** A source with these messages, the first of which is `#m1`. */
export async function sourceOf(messages: readonly Message[], conversation = 'one'): Promise<PassageSource> {
  const archive = memoryArchive();
  const calls = new Map<string, ToolCallPart>();
  for (const [index, message] of messages.entries()) {
    for (const call of toolCallsOf(message)) calls.set(call.toolCallId, call);
    await archive.put(entriesOf({ conversation, number: index + 1, message, calls: [...calls.values()] }));
  }
  return passagesOf(archive, conversation);
}

export const said = (content: string, createdAt?: number): Message => ({
  role: 'user',
  content,
  ...(createdAt === undefined ? {} : { createdAt }),
});

/** A file that was read: the call is one message, the result the next. */
export const readOf = (path: string, text: string): Message[] => {
  const called = { toolCallId: path, toolName: 'read_file' };
  const output = { type: 'text' as const, value: text };
  return [
    { role: 'assistant', content: [{ type: 'tool-call', ...called, input: { path } }] },
    { role: 'tool', content: [{ type: 'tool-result', ...called, output }] },
  ];
};

/** Lines that can be told apart, from 1. */
export const lines = (count: number, word = 'line') =>
  Array.from({ length: count }, (_, at) => `${word} ${at + 1} holds ${word}Value${at + 1}`).join('\n');
