import { agentScript, type ModelServer, startOllamaServer } from '@ctx/servers';
import { answerTo, changed, type Json, post } from './post.js';

const path = '/api/chat';
const tools = [{ type: 'function', function: { name: 'read_file', parameters: { type: 'object' } } }];
let server: ModelServer;
/** A conversation with a round of one call and a round of two. */
let request: Json;

beforeAll(async () => {
  server = await startOllamaServer();
  request = {
    model: 'qwen3',
    stream: false,
    tools,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Look.', images: ['iVBORw0KGgo='] },
    ],
  };
  for (let round = 0; round < 2; round += 1) {
    const { message } = (await answerTo(server, path, request, {})).json;
    request.messages.push(message);
    for (const call of message.tool_calls)
      request.messages.push({ role: 'tool', tool_name: call.function.name, content: 'Found.' });
  }
});
afterAll(() => server.close());

/** Puts a value in the place of another one. */
const set = (at: (body: Json) => Json, values: Json) => (body: Json) => void Object.assign(at(body), values);

test.each<[string, (body: Json) => void, RegExp]>([
  ['no model', (body) => delete body.model, /model/],
  ['an unknown role', set((body) => body.messages[0], { role: 'developer' }), /messages\[0\]\.role/],
  ['an unknown field', set((body) => body.messages[1], { name: 'a' }), /messages\[1\]\.name/],
  [
    'a list of parts',
    set((body) => body.messages[1], { content: [] }),
    /messages\[1\]\.content must be of the type string/,
  ],
  ['an image by URL', set((body) => body.messages[1], { images: ['https://a'] }), /illegal base64/],
  [
    'arguments as text',
    set((body) => body.messages[2].tool_calls[0].function, { arguments: '{}' }),
    /arguments must be of the type object/,
  ],
  ['a result of another tool', set((body) => body.messages[3], { tool_name: 'other' }), /no call of "other"/],
  ['a call without a result', (body) => void body.messages.splice(3, 1), /1 calls have no result/],
  ['a result without a call', (body) => void body.messages.splice(2, 1), /no call of "read_file"/],
])('%s is refused', async (_, change, problem) => {
  const { status, json } = await answerTo(server, path, changed(request, change), {});
  expect([status, json.error]).toEqual([400, expect.stringMatching(problem)]);
});

test('it streams lines by default, and the last one says what was counted', async () => {
  const { stream: _, ...body } = request;
  const response = await post(server, path, { ...body, think: true }, {});
  expect(response.headers.get('content-type')).toBe('application/x-ndjson');
  const lines = (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ message }) => message.thinking ?? '').join('')).toContain('Step 3');
  expect(lines.at(-1)).toMatchObject({ done: true, prompt_eval_count: expect.any(Number) });
});

test('what is longer than num_ctx is cut from the front and answered, or refused if the request says so', async () => {
  const prompts: string[] = [];
  const own = await startOllamaServer({
    script: (seen) => {
      prompts.push(seen.said.join());
      return agentScript()(seen);
    },
  });
  const messages = ['first', 'second', 'third'].map((word) => ({ role: 'user', content: word.repeat(40) }));
  const body = { model: 'a', stream: false, messages, options: { num_ctx: 130 } };
  expect((await answerTo(own, path, body, {})).status).toBe(200);
  expect(prompts[0]).not.toContain('first');
  expect(prompts[0]).toContain('third');
  const refused = await answerTo(own, path, { ...body, truncate: false }, {});
  expect([refused.status, JSON.parse(refused.json.error)]).toEqual([
    400,
    { error: expect.objectContaining({ n_ctx: 130 }) },
  ]);
  expect(own).toMatchObject({ accepted: 0, overflowed: 2, invalid: 0 });
  await own.close();
});
