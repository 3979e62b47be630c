import type { Message, Part, ToolCallPart, ToolOutput } from '@ctx/core';
import { partsOf, toolCallsOf } from '@ctx/core';

type Fields = Partial<Pick<Message, 'id' | 'createdAt' | 'priority' | 'pinned' | 'summary' | 'metadata'>>;
type ContentPart = Exclude<Part, { type: 'tool-call' | 'tool-result' }>;

export function system(content: string, fields: Fields = {}): Message {
  return { role: 'system', content, ...fields };
}

export function user(content: string | readonly ContentPart[], fields: Fields = {}): Message {
  return { role: 'user', content, ...fields } as Message;
}

export function assistant(content: string | readonly Part[], fields: Fields = {}): Message {
  return { role: 'assistant', content, ...fields } as Message;
}

/** An assistant message with one tool call. Several calls in a row, with `and`, make one message of parallel calls. */
export function call(
  toolCallId: string,
  toolName: string,
  input: unknown = {},
  fields: Fields = {},
): Message {
  return assistant([{ type: 'tool-call', toolCallId, toolName, input }], fields);
}

/** One message with the parts of several: parallel calls, text before a call, several results in one tool message. */
export function and(...messages: readonly Message[]): Message {
  return { ...messages[0], content: messages.flatMap((message) => partsOf(message)) } as Message;
}

/** The result of a call; `transcript` fills in the tool's name. */
export function result(
  toolCallId: string,
  output: ToolOutput,
  { isError, ...fields }: Fields & { readonly isError?: boolean } = {},
): Message {
  const part = { type: 'tool-result' as const, toolCallId, toolName: 'unknown', output };
  return { role: 'tool', content: [isError === undefined ? part : { ...part, isError }], ...fields };
}

/** Messages in order, each tool result with the name of the tool that its call names. */
export function transcript(...messages: readonly Message[]): Message[] {
  let calls = new Map<string, ToolCallPart>();
  return messages.map((message) => {
    if (message.role === 'assistant')
      calls = new Map(toolCallsOf(message).map((one) => [one.toolCallId, one]));
    if (message.role !== 'tool') return message;
    const content = message.content.map((part) => ({
      ...part,
      toolName: calls.get(part.toolCallId)?.toolName ?? part.toolName,
    }));
    return { ...message, content };
  });
}
