import {
  type ModelServerOptions,
  startAnthropicServer,
  startGeminiServer,
  startOpenAiServer,
} from '@ctx/servers';
import { answerTo, headers } from './post.js';

const input = { path: 'a.ts' };
const schema = { type: 'object', properties: { path: { type: 'string' } } };
const whole = 'export const value = 1; '.repeat(40);
const cut = `${whole.slice(0, 30)}…`;
const resultOf = (name: string) => (name === 'read' ? whole : undefined);

/** A request of each API whose newest result is as given. */
const forms = {
  chat: {
    start: startOpenAiServer,
    headers: headers.openai,
    path: '/v1/chat/completions',
    body: (content: string, name: string) => ({
      model: 'gpt-5',
      tools: [{ type: 'function', function: { name } }],
      messages: [
        { role: 'user', content: 'Look.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name, arguments: JSON.stringify(input) } }],
        },
        { role: 'tool', tool_call_id: 'c1', content },
      ],
    }),
  },
  responses: {
    start: startOpenAiServer,
    headers: headers.openai,
    path: '/v1/responses',
    body: (output: string, name: string) => ({
      model: 'gpt-5',
      store: false,
      tools: [{ type: 'function', name, parameters: schema, strict: false }],
      input: [
        { role: 'user', content: 'Look.' },
        { type: 'function_call', call_id: 'c1', name, arguments: JSON.stringify(input) },
        { type: 'function_call_output', call_id: 'c1', output },
      ],
    }),
  },
  messages: {
    start: startAnthropicServer,
    headers: headers.anthropic,
    path: '/v1/messages',
    body: (content: string, name: string) => ({
      model: 'claude-haiku-4-5',
      max_tokens: 9,
      tools: [{ name, input_schema: schema }],
      messages: [
        { role: 'user', content: 'Look.' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name, input }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }] },
      ],
    }),
  },
  generate: {
    start: startGeminiServer,
    headers: headers.gemini,
    path: '/v1beta/models/gemini-2.5-pro:generateContent',
    body: (result: string, name: string) => ({
      tools: [{ functionDeclarations: [{ name, parameters: schema }] }],
      contents: [
        { role: 'user', parts: [{ text: 'Look.' }] },
        { role: 'model', parts: [{ functionCall: { name, args: input } }] },
        { role: 'user', parts: [{ functionResponse: { name, response: { result } } }] },
      ],
    }),
  },
} as const;

describe.each(Object.values(forms))('$path', ({ start, headers: own, path, body }) => {
  async function outcome(
    text: string,
    { name = 'read', ...options }: ModelServerOptions & { name?: string } = {},
  ) {
    const server = await start({ resultOf, ...options });
    const { status, json } = await answerTo(server, path, body(text, name), own);
    await server.close();
    return [status, json.error?.message].filter((one) => one !== undefined);
  }

  test('the newest result as the tool returned it is taken', async () => {
    expect(await outcome(whole)).toEqual([200]);
  });

  test('another one is refused where the whole would fit', async () => {
    const refused = [400, expect.stringContaining('(read) are not what the agent sent')];
    expect(await outcome(cut)).toEqual(refused);
    expect(await outcome(cut, { window: 10_000 })).toEqual(refused);
  });

  test('it is taken after a refusal that named a smaller window, and refused again after an answer', async () => {
    const server = await start({ resultOf, overflowAt: [1] });
    const statuses: number[] = [];
    for (const text of [whole, cut, cut])
      statuses.push((await answerTo(server, path, body(text, 'read'), own)).status);
    await server.close();
    expect(statuses).toEqual([400, 200, 400]);
  });

  test('it is taken where the whole would not fit, and from a tool of somebody else', async () => {
    expect(await outcome(cut, { window: 250 })).toEqual([200]);
    expect(await outcome(cut, { name: 'recall' })).toEqual([200]);
  });
});
