import { type ModelServer, startBedrockServer } from '@ctx/servers';
import { answerTo, changed, type Json, post } from './post.js';

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

/** Puts a value in the place of another one. */
const set = (at: (body: Json) => Json, values: Json) => (body: Json) => void Object.assign(at(body), values);

test.each<[string, (body: Json) => void, RegExp]>([
  ['an unknown field', set((body) => body, { model: 'a' }), /The format of model is invalid/],
  [
    'content that is a text',
    set((body) => body.messages[0], { content: 'a' }),
    /messages\[0\]\.content is invalid/,
  ],
  [
    'a block of two kinds',
    set((body) => body.messages[0].content[0], { json: {} }),
    /content\[0\]\.json is invalid/,
  ],
  ['JSON in a message', set((body) => body.messages[0], { content: [{ json: {} }] }), /json is invalid/],
  ['no content', set((body) => body.messages[0], { content: [] }), /messages\.0 is empty/],
  ['a blank text', set((body) => body.messages[0].content[0], { text: ' ' }), /content\.0 is blank/],
  ['an answer first', (body) => void body.messages.shift(), /must start with a user message/],
  ['an answer last', (body) => void body.messages.pop(), /must end with a user message/],
  [
    'two messages of one role',
    (body) => void body.messages.unshift({ role: 'user', content: [{ text: 'Hello.' }] }),
    /must alternate/,
  ],
  [
    'a call without a result',
    (body) => void body.messages[4].content.pop(),
    /Expected toolResult blocks at messages\.4/,
  ],
  [
    'a result twice',
    (body) => void body.messages[2].content.push(body.messages[2].content[0]),
    /exceeds the number/,
  ],
  ['no tools', (body) => delete body.toolConfig, /toolConfig field must be defined/],
  [
    'altered thinking',
    set((body) => body.messages[1].content[0].reasoningContent.reasoningText, { text: 'a' }),
    /Invalid `signature`/,
  ],
  [
    'a call of the user',
    set((body) => body.messages[0], { content: [{ toolUse: { toolUseId: 'a', name: 'b', input: {} } }] }),
    /role user can't have this block/,
  ],
])('%s is refused', async (_, change, problem) => {
  const { status, json } = await answerTo(server, path, changed(request, change), headers);
  expect([status, json.message]).toEqual([400, expect.stringMatching(problem)]);
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
