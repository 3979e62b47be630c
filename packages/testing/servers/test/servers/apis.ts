import { startAnthropicServer, startGeminiServer, startOpenAiServer } from '@ctx/servers';
import { headers, type Json } from './post.js';

/** A call with its result. */
interface Round {
  readonly name: string;
  readonly input: object;
  readonly output: string;
}
const id = 'call_1';

/** Each API: how a conversation looks in it. */
export const apis = {
  chat: {
    start: startOpenAiServer,
    path: '/v1/chat/completions',
    streamPath: '/v1/chat/completions',
    headers: headers.openai,
    user: (content: string): Json => ({ role: 'user', content }),
    body: (messages: Json[]) => ({ model: 'gpt-5', messages }),
    round({ name, input, output }: Round): Json[] {
      const called = { name, arguments: JSON.stringify(input) };
      const tool_calls = [{ id, type: 'function', function: called }];
      return [
        { role: 'assistant', content: null, tool_calls },
        { role: 'tool', tool_call_id: id, content: output },
      ];
    },
  },
  responses: {
    start: startOpenAiServer,
    path: '/v1/responses',
    streamPath: '/v1/responses',
    headers: headers.openai,
    user: (content: string): Json => ({ role: 'user', content }),
    body: (input: Json[]) => ({ model: 'gpt-5', input }),
    round: ({ name, input, output }: Round): Json[] => [
      { type: 'function_call', call_id: id, name, arguments: JSON.stringify(input) },
      { type: 'function_call_output', call_id: id, output },
    ],
  },
  messages: {
    start: startAnthropicServer,
    path: '/v1/messages',
    streamPath: '/v1/messages',
    headers: headers.anthropic,
    user: (content: string): Json => ({ role: 'user', content }),
    body: (messages: Json[]) => ({ model: 'claude-haiku-4-5', max_tokens: 9, messages }),
    round: ({ name, input, output }: Round): Json[] => [
      { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: output }] },
    ],
  },
  generate: {
    start: startGeminiServer,
    path: '/v1beta/models/gemini-2.5-pro:generateContent',
    streamPath: '/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse',
    headers: headers.gemini,
    user: (text: string): Json => ({ role: 'user', parts: [{ text }] }),
    body: (contents: Json[]) => ({ contents }),
    round: ({ name, input, output }: Round): Json[] => [
      { role: 'model', parts: [{ functionCall: { name, args: input } }] },
      { role: 'user', parts: [{ functionResponse: { name, response: { result: output } } }] },
    ],
  },
} as const;

/** The same body, asking for a stream where the path does not. */
export const streamed = ({ path, streamPath }: (typeof apis)[keyof typeof apis], body: Json) =>
  path === streamPath ? { ...body, stream: true } : body;
