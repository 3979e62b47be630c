import type { ChatMessage } from '@ctx/codec-openai';

export const user = (content: string): ChatMessage => ({ role: 'user', content });
export const assistant = (content: string): ChatMessage => ({ role: 'assistant', content });

/** A call of a tool, and its result. */
export const called = (id: string, name: string, content: string, input = '{}'): ChatMessage[] => [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name, arguments: input } }],
  },
  { role: 'tool', tool_call_id: id, content },
];
