import { startAnthropicServer, startGeminiServer, startOpenAiServer } from '@ctx/servers';
import { headers, type Json } from './post.js';

/** A round of calls, with what is the same in all of them. */
interface Round {
  readonly ids?: readonly string[];
  readonly name?: string;
  readonly input?: object;
  readonly output?: string;
}
const usual = { ids: ['call_1'], name: 'read', input: {}, output: 'Found.' };

/** Each API: how a conversation looks, where each of its pieces may be taken out alone. */
export const apis = {
  chat: {
    start: startOpenAiServer,
    path: '/v1/chat/completions',
    streamPath: '/v1/chat/completions',
    headers: headers.openai,
    user: (content: string): Json => ({ role: 'user', content }),
    body: (messages: Json[]) => ({ model: 'gpt-5', messages }),
    round(round: Round): Json[] {
      const { ids, name, input, output } = { ...usual, ...round };
      const made = { name, arguments: JSON.stringify(input) };
      const tool_calls = ids.map((id) => ({ id, type: 'function', function: made }));
      return [
        { role: 'assistant', content: null, tool_calls },
        ...ids.map((id) => ({ role: 'tool', tool_call_id: id, content: output })),
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
    round(round: Round): Json[] {
      const { ids, name, input, output } = { ...usual, ...round };
      const made = { type: 'function_call', name, arguments: JSON.stringify(input) };
      return [
        ...ids.map((call_id) => ({ ...made, call_id })),
        ...ids.map((call_id) => ({ type: 'function_call_output', call_id, output })),
      ];
    },
  },
  messages: {
    start: startAnthropicServer,
    path: '/v1/messages',
    streamPath: '/v1/messages',
    headers: headers.anthropic,
    user: (content: string): Json => ({ role: 'user', content }),
    body: (messages: Json[]) => ({ model: 'claude-haiku-4-5', max_tokens: 9, messages }),
    round(round: Round): Json[] {
      const { ids, name, input, output } = { ...usual, ...round };
      return [
        ...ids.map((id) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name, input }] })),
        ...ids.map((id) => ({
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: id, content: output }],
        })),
      ];
    },
  },
  generate: {
    start: startGeminiServer,
    path: '/v1beta/models/gemini-2.5-pro:generateContent',
    streamPath: '/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse',
    headers: headers.gemini,
    user: (text: string): Json => ({ role: 'user', parts: [{ text }] }),
    body: (contents: Json[]) => ({ contents }),
    round(round: Round): Json[] {
      const { ids, name, input, output } = { ...usual, ...round };
      const response = { result: output };
      return [
        { role: 'model', parts: ids.map(() => ({ functionCall: { name, args: input } })) },
        { role: 'user', parts: ids.map(() => ({ functionResponse: { name, response } })) },
      ];
    },
  },
} as const;

/** The same body, asking for a stream where the path does not. */
export const streamed = ({ path, streamPath }: (typeof apis)[keyof typeof apis], body: Json) =>
  path === streamPath ? { ...body, stream: true } : body;
