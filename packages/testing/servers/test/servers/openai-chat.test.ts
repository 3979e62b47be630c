import { type ModelServer, startOpenAiServer } from '@ctx/servers';
import { answerTo, headers, type Json, post, testRefusals } from './post.js';

const path = '/v1/chat/completions';
const tools = [{ type: 'function', function: { name: 'read_file', parameters: { type: 'object' } } }];
let server: ModelServer;
/** A conversation with a round of one call and a round of two. */
let request: Json;

beforeAll(async () => {
  server = await startOpenAiServer();
  request = {
    model: 'gpt-5',
    tools,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Look.' }] },
    ],
  };
  for (let round = 0; round < 2; round += 1) {
    const { message } = (await answerTo(server, path, request, headers.openai)).json.choices[0];
    request.messages.push(message);
    for (const { id } of message.tool_calls)
      request.messages.push({ role: 'tool', tool_call_id: id, content: 'Found.' });
  }
});
afterAll(() => server.close());

testRefusals(() => ({ server, path, headers: headers.openai, request }), {
  error: { error: { type: 'invalid_request_error' } },
  misfitWords: (place, problem) => `Invalid value: '${place}' ${problem}`,
  misfits: [
    ['model', undefined, 'is missing.'],
    ['messages', undefined, 'is missing.'],
    ['messages', [], 'must not be empty.'],
    ['context', 1, 'is not known.'],
    ['messages[1].id', 'a', 'is not known.'],
    ['messages[1].role', 'human', 'must be one of system'],
    ['messages[1].content[0].type', 'input_text', 'must be one of text, image_url, input_audio, file.'],
    ['messages[1].content', 7, 'must be of the type string or array.'],
    ['messages[1].content', null, 'must be of the type string or array.'],
    ['messages[3].content', { found: 1 }, 'must be of the type string or array.'],
    ['messages[1].content', [], 'must not be empty.'],
    ['messages[2].tool_calls', [], 'must not be empty.'],
    ['messages[2].tool_calls[0].id', undefined, 'is missing.'],
    ['messages[2].tool_calls[0].function.arguments', {}, 'must be of the type string.'],
  ],
  refused: [
    [
      "Invalid value for 'content': expected a string, got null.",
      (body) => body.messages.splice(2, 2, { role: 'assistant', content: null }),
    ],
    [
      "An assistant message with 'tool_calls' must be followed by tool messages",
      (body) => body.messages.splice(3, 1),
    ],
    ["An assistant message with 'tool_calls' must be followed", (body) => body.messages.pop()],
    [
      "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
      (body) => body.messages.splice(2, 1),
    ],
    ["Invalid parameter: 'tool_call_id' of 'call_0", (body) => body.messages.splice(4, 0, body.messages[3])],
    [
      "An assistant message with 'tool_calls' must be followed",
      (body) => body.messages.splice(3, 0, { role: 'user', content: 'And?' }),
    ],
  ],
});

test('accepts the conversation that the refused ones are made of', async () => {
  const { status, json } = await answerTo(server, path, request, headers.openai);
  expect(status).toBe(200);
  expect(json.choices[0].finish_reason).toBe('tool_calls');
});

test('a request without a key is refused in the provider’s words', async () => {
  const { status, json } = await answerTo(server, path, request, {});
  expect(status).toBe(401);
  expect(json.error.message).toMatch(/^You didn't provide an API key\./);
});

test('a text that is no JSON, and a path that there is not, are refused', async () => {
  const broken = await fetch(`${server.url}${path}`, { method: 'POST', headers: headers.openai, body: '{' });
  expect(broken.status).toBe(400);
  expect(((await broken.json()) as Json).error.message).toMatch(
    /^We could not parse the JSON body of your request\./,
  );
  const { status, json } = await answerTo(server, '/v1/completions', request, headers.openai);
  expect(status).toBe(404);
  expect(json.error.message).toBe('Invalid URL (POST /v1/completions)');
});

test.each([
  [true, 1],
  [false, 0],
])('a stream has its usage in a last chunk of its own if asked: %s', async (include_usage, chunks) => {
  const body = { ...request, stream: true, stream_options: { include_usage } };
  const text = await (await post(server, path, body, headers.openai)).text();
  const events = text.split('\n\n').filter((line) => line !== '');
  expect(events.at(-1)).toBe('data: [DONE]');
  const data = events.slice(0, -1).map((event) => JSON.parse(event.replace('data: ', '')));
  expect(data.filter(({ usage }) => usage)).toHaveLength(chunks);
  expect(data.filter(({ choices }) => choices.length === 0)).toHaveLength(chunks);
});
