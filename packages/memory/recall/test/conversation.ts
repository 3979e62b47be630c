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
export const readOf = (path: string, text: string, id = path): Message[] => [
  {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: id, toolName: 'read_file', input: { path } }],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: id,
        toolName: 'read_file',
        output: { type: 'text', value: text },
      },
    ],
  },
];

/** Lines that can be told apart, from 1. */
export const lines = (count: number, word = 'line') =>
  Array.from({ length: count }, (_, at) => `${word} ${at + 1} holds ${word}Value${at + 1}`).join('\n');
