import { agentScript, type ModelServer, startOllamaServer } from '@ctx/servers';
import { answerTo, type Json, post, set, testRefusals } from './post.js';

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

testRefusals(() => ({ server, path, headers: {}, request }), {
  error: { error: expect.any(String) },
  misfitWords: (place, problem) => `json: ChatRequest.${place} ${problem}`,
  misfits: [
    ['model', undefined, 'is missing'],
    ['messages[0].role', 'developer', 'must be one of system, user, assistant, tool'],
    ['messages[1].name', 'a', 'is not known'],
    ['messages[1].content', [], 'must be of the type string'],
    ['messages[2].tool_calls[0].function.arguments', '{}', 'must be of the type object'],
  ],
  refused: [
    ['illegal base64', set('messages[1].images', ['https://a'])],
    ['messages[3]: no call of "other" waits for a result', set('messages[3].tool_name', 'other')],
    ['messages[3]: 1 calls have no result', (body) => body.messages.splice(3, 1)],
    ['messages[2]: no call of "read_file" waits for a result', (body) => body.messages.splice(2, 1)],
  ],
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
  expect(refused.status).toBe(400);
  expect(JSON.parse(refused.json.error)).toMatchObject({ error: { n_ctx: 130 } });
  expect(own).toMatchObject({ accepted: 0, overflowed: 2, invalid: 0 });
  await own.close();
});
