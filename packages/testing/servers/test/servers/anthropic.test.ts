import { type ModelServer, startAnthropicServer } from '@ctx/servers';
import { answerTo, changed, headers, type Json, post, set, testAcceptances, testRefusals } from './post.js';

const path = '/v1/messages';
const mark = { cache_control: { type: 'ephemeral' } };
/** Marks three blocks besides the system prompt. */
const marked = ({ messages, tools }: Json) => {
  for (const block of [...messages[4].content, tools[0]]) Object.assign(block, mark);
};
let server: ModelServer;
/** A user message, then two rounds of thinking, text and calls, with their results. */
let request: Json;

beforeAll(async () => {
  server = await startAnthropicServer();
  request = {
    model: 'claude-sonnet-5-5',
    max_tokens: 4096,
    thinking: { type: 'enabled', budget_tokens: 1024 },
    system: [{ type: 'text', text: 'Be brief.', ...mark }],
    tools: [{ name: 'read_file', input_schema: { type: 'object' } }],
    messages: [{ role: 'user', content: 'Look.' }],
  };
  for (let round = 0; round < 2; round += 1) {
    const { content } = (await answerTo(server, path, request, headers.anthropic)).json;
    const calls = content.filter(({ type }: Json) => type === 'tool_use');
    request.messages.push(
      { role: 'assistant', content },
      {
        role: 'user',
        content: calls.map(({ id }: Json) => ({ type: 'tool_result', tool_use_id: id, content: 'Found.' })),
      },
    );
  }
});
afterAll(() => server.close());

const accepted = () => ({ server, path, headers: headers.anthropic, request });
testRefusals(accepted, {
  error: { type: 'error', error: { type: 'invalid_request_error' } },
  misfitWords: (place, problem) => `${place}: ${problem}`,
  misfits: [
    ['max_tokens', undefined, 'is missing'],
    ['input', 1, 'is not known'],
    ['messages[0].id', 'a', 'is not known'],
    ['messages[1].content[2].index', 0, 'is not known'],
    ['messages[0].role', 'tool', 'must be one of user, assistant, system'],
    ['messages[1].content[1].type', 'output_text', 'must be one of text'],
    ['messages[1].content[1].text', 7, 'must be of the type string'],
    ['messages[0].content', 7, 'must be of the type string or array'],
    ['messages[1].content[2].input', '{}', 'must be of the type object'],
  ],
  refused: [
    ['messages: at least one message is required', set('messages', [])],
    ['messages: first message must use the "user" role', (body) => body.messages.shift()],
    [
      'messages.0: all messages must have non-empty content except for the optional final assistant message',
      set('messages[0].content', ''),
    ],
    ['messages: text content blocks must be non-empty', set('messages[1].content[1].text', '')],
    [
      'messages: text content blocks must contain non-whitespace text',
      set('messages[1].content[1].text', ' \n'),
    ],
    ['system: text content blocks must be non-empty', set('system[0].text', '')],
    ['tools: Tool names must be unique.', (body) => body.tools.push(body.tools[0])],
    [
      'messages.0: `tool_use` blocks can only be in `assistant` messages',
      (body) => (body.messages[0] = { role: 'user', content: [body.messages[1].content[2]] }),
    ],
    [
      'messages.1: `tool_result` blocks can only be in `user` messages',
      (body) => body.messages[1].content.push(body.messages[2].content[0]),
    ],
    [
      "messages.1.content.2.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
      set('messages[1].content[2].id', 'a b'),
    ],
    [
      'messages: `tool_use` ids must be unique',
      (body) => body.messages[3].content.push(body.messages[1].content[2]),
    ],
    [
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_0',
      set('messages[2].content', 'And?'),
    ],
    [
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after',
      (body) => body.messages[2].content.unshift({ type: 'text', text: 'And?' }),
    ],
    ['messages.3: `tool_use` ids were found without', (body) => body.messages.pop()],
    [
      'messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_0',
      (body) => body.messages[1].content.pop(),
    ],
    [
      'messages.2.content.1: each tool_use must have a single result.',
      (body) => body.messages[2].content.push(body.messages[2].content[0]),
    ],
    [
      'messages: final assistant content cannot end with trailing whitespace',
      (body) => body.messages.push({ role: 'assistant', content: 'So ' }),
    ],
    [
      'A maximum of 4 blocks with cache_control may be provided. Found 5.',
      (body) => {
        marked(body);
        Object.assign(body.messages[2].content[0], mark);
      },
    ],
    [
      'messages.1.content.0: Invalid `signature` in `thinking` block',
      (body) => (body.messages[1].content[0].signature += 'A'),
    ],
    [
      'messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.',
      set('messages[1].content[0].thinking', 'I think so.'),
    ],
    [
      'messages.1.content.0: `thinking` or `redacted_thinking` blocks',
      (body) => {
        body.model = 'claude-haiku-4-5';
        body.messages[1].content[0].thinking = 'I think so.';
      },
    ],
    [
      'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.',
      set('messages[0].content', 'Look!'),
    ],
    [
      'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`.',
      (body) => body.messages[1].content.shift(),
    ],
  ],
});

testAcceptances(accepted, [
  ['four breakpoints', marked],
  [
    'a changed prefix where the model does not bind its thinking',
    (body) => {
      body.messages[0].content = 'Look!';
      body.model = 'claude-haiku-4-5';
    },
  ],
  ['a system message in the middle', (body) => body.messages.push({ role: 'system', content: 'Be quick.' })],
  [
    'results in several messages of the user',
    (body) => {
      const [first, second] = body.messages.pop().content;
      body.messages.push({ role: 'user', content: [first] }, { role: 'user', content: [second] });
    },
  ],
  ['thinking that is shown empty', set('messages[1].content[0].thinking', '')],
  [
    'no thinking where the model need not think',
    (body) => {
      body.thinking = { type: 'adaptive' };
      body.messages[1].content.shift();
      body.messages[3].content.shift();
    },
  ],
  [
    'a changed prefix where thinking of another is to be dropped',
    (body) => {
      body.messages[0].content = 'Look!';
      body.thinking.block_binding = { prefix_mismatch_behavior: 'drop_block' };
    },
  ],
]);

test('the parts of the usage add up to what is counted', async () => {
  const { json } = await answerTo(server, path, request, headers.anthropic);
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = json.usage;
  const { max_tokens: _, ...counted } = request;
  const count = await answerTo(server, `${path}/count_tokens`, counted, headers.anthropic);
  expect(cache_read_input_tokens).toBeGreaterThan(0);
  expect(input_tokens + cache_creation_input_tokens + cache_read_input_tokens).toBe(count.json.input_tokens);
});

test('a request without key or version is refused', async () => {
  const noKey = await answerTo(server, path, request, { 'anthropic-version': '2023-06-01' });
  expect({ status: noKey.status, error: noKey.json.error }).toEqual({
    status: 401,
    error: { type: 'authentication_error', message: 'x-api-key header is required' },
  });
  const noVersion = await answerTo(server, path, request, { 'x-api-key': 'sk-test' });
  expect(noVersion.json.error.message).toBe('anthropic-version: header is required');
});

test('a stream has a ping, and its thinking has its signature last', async () => {
  const body = { ...request, stream: true, messages: request.messages.slice(0, 1) };
  const text = await (await post(server, path, body, headers.anthropic)).text();
  const events = text
    .trim()
    .split('\n\n')
    .map((event) => JSON.parse(String(event.split('data: ')[1])));
  expect(events[1]).toEqual({ type: 'ping' });
  const thinking = events.filter(({ index }) => index === 0);
  expect(thinking[0].content_block).toEqual({ type: 'thinking', thinking: '', signature: '' });
  expect(thinking.at(-2).delta.type).toBe('signature_delta');
});

describe('a message thread', () => {
  const inThread = (thread: Json) =>
    changed(request, (body) => {
      delete body.tools;
      delete body.system;
      Object.assign(body, { thread, messages: [{ role: 'user', content: 'Look.' }] });
    });
  const going = (previous_message_id: string) => inThread({ type: 'continue', previous_message_id });

  test('that is not known, or has gone on already, is refused', async () => {
    const begun = inThread({ type: 'create' });
    const { id } = (await answerTo(server, path, begun, headers.anthropic)).json;
    const continued = await answerTo(server, path, going(id), headers.anthropic);
    expect(continued.status).toBe(200);
    const again = await answerTo(server, path, going(id), headers.anthropic);
    const other = await answerTo(server, path, going('msg_of_another'), headers.anthropic);
    expect([again, other].map(({ status, json }) => [status, json.error.details.error_code])).toEqual([
      [409, 'thread_already_continued'],
      [404, 'thread_not_found'],
    ]);
  });
});
