import { type ModelServer, startBedrockServer } from '@ctx/servers';
import { answerTo, type Json, post, set, testRefusals } from './post.js';

const path = '/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse';
const headers = { authorization: 'Bearer test' };
const toolConfig = {
  tools: [{ toolSpec: { name: 'read_file', inputSchema: { json: { type: 'object' } } } }],
};
let server: ModelServer;
/** A conversation with a round of one call and a round of two. */
let request: Json;

beforeAll(async () => {
  server = await startBedrockServer();
  request = {
    toolConfig,
    additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 1024 } },
    system: [{ text: 'Be brief.' }, { cachePoint: { type: 'default' } }],
    messages: [{ role: 'user', content: [{ text: 'Look.' }] }],
  };
  for (let round = 0; round < 2; round += 1) {
    const { message } = (await answerTo(server, path, request, headers)).json.output;
    const calls = message.content.flatMap(({ toolUse }: Json) => toolUse ?? []);
    request.messages.push(message, {
      role: 'user',
      content: calls.map(({ toolUseId }: Json) => ({
        toolResult: { toolUseId, content: [{ text: 'Found.' }] },
      })),
    });
  }
});
afterAll(() => server.close());

testRefusals(() => ({ server, path, headers, request }), {
  error: { message: expect.any(String) },
  misfitWords: (place, problem) => `The format of ${place} is invalid: it ${problem}.`,
  misfits: [
    ['model', 'a', 'is not known'],
    ['messages[0].content', 'a', 'must be of the type array'],
    ['messages[0].content[0].json', {}, 'is not known'],
  ],
  refused: [
    ['The format of messages[0].content[0].json is invalid', set('messages[0].content', [{ json: {} }])],
    [
      'The format of messages[0].content[0] is invalid: it has not just one member.',
      set('messages[0].content[0].cachePoint', { type: 'default' }),
    ],
    [
      'The format of messages[2].content[0].toolResult.content[0] is invalid: it has not just one member.',
      set('messages[2].content[0].toolResult.content[0]', {}),
    ],
    ['The content field in the Message object at messages.0 is empty', set('messages[0].content', [])],
    [
      'The text field in the ContentBlock object at messages.0.content.0 is blank',
      set('messages[0].content[0].text', ' '),
    ],
    ['A conversation must start with a user message', (body) => body.messages.shift()],
    [
      'The model does not support assistant message prefill. The conversation must end with a user message',
      (body) => body.messages.pop(),
    ],
    ['A conversation must alternate', (body) => body.messages.unshift(body.messages[0])],
    ['Expected toolResult blocks at messages.4', (body) => body.messages[4].content.pop()],
    [
      'The number of toolResult blocks at messages.2.content exceeds the number',
      (body) => body.messages[2].content.push(body.messages[2].content[0]),
    ],
    ['The toolConfig field must be defined', set('toolConfig', undefined)],
    [
      'messages.1.content.0: Invalid `signature`',
      set('messages[1].content[0].reasoningContent.reasoningText.text', 'a'),
    ],
    [
      "messages.0.content.0: The role user can't have this block",
      set('messages[0].content', [{ toolUse: { toolUseId: 'a', name: 'b', input: {} } }]),
    ],
  ],
});

test('errors are named in a header, and without a key there is no answer', async () => {
  const bad = await post(server, path, {}, headers);
  expect(bad.headers.get('x-amzn-errortype')).toBe('ValidationException');
  expect((await post(server, path, request, {})).status).toBe(403);
  expect((await post(server, '/model/a/invoke', request, headers)).status).toBe(404);
});

test('it streams messages whose length and name are at their beginning', async () => {
  const response = await post(server, `${path}-stream`, request, headers);
  expect(response.headers.get('content-type')).toBe('application/vnd.amazon.eventstream');
  const bytes = Buffer.from(await response.arrayBuffer());
  const names: string[] = [];
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at)) {
    const name = at + 12 + 1 + ':event-type'.length;
    names.push(bytes.toString('utf8', name + 3, name + 3 + bytes.readUInt16BE(name + 1)));
  }
  expect([names[0], ...names.slice(-2)]).toEqual(['messageStart', 'messageStop', 'metadata']);
});
