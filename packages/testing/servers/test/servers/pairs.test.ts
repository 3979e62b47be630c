import { type ModelServer, startAnthropicServer, startGeminiServer, startOpenAiServer } from '@ctx/servers';
import fc from 'fast-check';
import { answerTo, headers, type Json } from './post.js';

/** Calls of each round. */
const arbitraryRounds = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 });

const ids = (round: number, calls: number) => Array.from({ length: calls }, (_, at) => `call_${round}_${at}`);

/** Each API: how a conversation looks, where each of its pieces may be taken out alone. */
const apis = {
  chat: {
    path: '/v1/chat/completions',
    auth: headers.openai,
    list: 'messages',
    body: { model: 'gpt-5' },
    user: { role: 'user', content: 'Look.' },
    round: (names: string[]): Json[] => [
      {
        role: 'assistant',
        content: null,
        tool_calls: names.map((id) => ({
          id,
          type: 'function',
          function: { name: 'read', arguments: '{}' },
        })),
      },
      ...names.map((id) => ({ role: 'tool', tool_call_id: id, content: 'Found.' })),
    ],
  },
  responses: {
    path: '/v1/responses',
    auth: headers.openai,
    list: 'input',
    body: { model: 'gpt-5' },
    user: { role: 'user', content: 'Look.' },
    round: (names: string[]): Json[] => [
      ...names.map((call_id) => ({ type: 'function_call', call_id, name: 'read', arguments: '{}' })),
      ...names.map((call_id) => ({ type: 'function_call_output', call_id, output: 'Found.' })),
    ],
  },
  messages: {
    path: '/v1/messages',
    auth: headers.anthropic,
    list: 'messages',
    body: { model: 'claude-haiku-4-5', max_tokens: 9 },
    user: { role: 'user', content: 'Look.' },
    round: (names: string[]): Json[] => [
      ...names.map((id) => ({
        role: 'assistant',
        content: [{ type: 'tool_use', id, name: 'read', input: {} }],
      })),
      ...names.map((id) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id }] })),
    ],
  },
  generate: {
    path: '/v1beta/models/gemini-2.5-pro:generateContent',
    auth: headers.gemini,
    list: 'contents',
    body: {},
    user: { role: 'user', parts: [{ text: 'Look.' }] },
    round: (names: string[]): Json[] => [
      { role: 'model', parts: names.map(() => ({ functionCall: { name: 'read', args: {} } })) },
      { role: 'user', parts: names.map(() => ({ functionResponse: { name: 'read', response: {} } })) },
    ],
  },
};

const servers: Record<string, ModelServer> = {};
beforeAll(async () => {
  servers.messages = await startAnthropicServer();
  servers.generate = await startGeminiServer();
  servers.chat = await startOpenAiServer();
  servers.responses = servers.chat;
});
afterAll(() => Promise.all(Object.values(servers).map((server) => server.close())));

test.each(Object.entries(apis))('%s: whole rounds are accepted, and no half of one is', (name, api) =>
  fc.assert(
    fc.asyncProperty(arbitraryRounds, fc.nat(), async (rounds, seed) => {
      const server = servers[name] as ModelServer;
      const items = rounds.flatMap((calls, round) => api.round(ids(round, calls)));
      const ask = (list: Json[]) =>
        answerTo(server, api.path, { ...api.body, [api.list]: [api.user, ...list] }, api.auth);
      const whole = await ask(items);
      expect(whole.json.error ?? undefined).toBeUndefined();
      const { status } = await ask(items.filter((_, at) => at !== seed % items.length));
      expect(status).toBe(400);
    }),
    { numRuns: 9 },
  ),
);
