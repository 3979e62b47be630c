import { type ModelServer, startOpenAiServer } from '@ctx/servers';
import { answerTo, changed, headers, type Json, post, set } from './post.js';

const path = '/v1/responses';
let server: ModelServer;
/** A user message, reasoning, text and a call with its output, then the same with two calls. */
let request: Json;

/** Positions in its input. */
const [user, reasoning, text, call, output] = [0, 1, 2, 3, 4];

beforeAll(async () => {
  server = await startOpenAiServer();
  request = {
    model: 'gpt-5',
    store: false,
    include: ['reasoning.encrypted_content'],
    tools: [{ type: 'function', name: 'read_file', parameters: { type: 'object' } }],
    input: [{ role: 'user', content: [{ type: 'input_text', text: 'Look.' }] }],
  };
  for (let round = 0; round < 2; round += 1) {
    const { json } = await answerTo(server, path, request, headers.openai);
    request.input.push(...json.output);
    for (const { type, call_id } of json.output)
      if (type === 'function_call')
        request.input.push({ type: 'function_call_output', call_id, output: 'Found.' });
  }
});
afterAll(() => server.close());

const refusals: [rule: string, change: (body: Json) => void, message: RegExp, status?: number][] = [
  ['no input', (body) => delete body.input, /^Invalid value: 'input' is missing\.$/],
  ['an unknown field', set('messages', []), /^Invalid value: 'messages' is not known\.$/],
  [
    'an unknown field of an item',
    (body) => {
      body.input[call].parsed_arguments = null;
    },
    /^Invalid value: 'input\[3\]\.parsed_arguments' is not known\.$/,
  ],
  [
    'an unknown type of item',
    (body) => {
      body.input[call].type = 'tool_call';
    },
    /^Invalid value: 'input\[3\]\.type' must be one of message/,
  ],
  [
    'an unknown role',
    (body) => {
      body.input[user].role = 'tool';
    },
    /^Invalid value: 'input\[0\]\.role' must be one of assistant, system, developer, user\.$/,
  ],
  [
    'no output of a call',
    (body) => delete body.input[output].output,
    /^Invalid value: 'input\[4\]\.output' is missing\.$/,
  ],
  [
    'an object as output',
    (body) => {
      body.input[output].output = {};
    },
    /^Invalid value: 'input\[4\]\.output' must be of the type string or array\.$/,
  ],
  [
    'text of the assistant’s in a message of the user',
    (body) => {
      body.input[user].content[0].type = 'output_text';
    },
    /^Invalid value: 'output_text'\. Supported values are: 'input_text', 'input_image', and 'input_file'\.$/,
  ],
  [
    'text of the user’s in a message of the assistant',
    (body) => {
      body.input[text].content = [{ type: 'input_text', text: 'a' }];
    },
    /^Invalid value: 'input_text'\. Supported values are: 'output_text' and 'refusal'\.$/,
  ],
  [
    'a call without its output',
    (body) => body.input.splice(output, 1),
    /^No tool output found for function call call_0\d+\.$/,
  ],
  [
    'an output without its call',
    (body) => body.input.splice(call, 1),
    /^No tool call found for function call output with call_id call_0\d+\.$/,
  ],
  [
    'an output before its call',
    (body) => body.input.splice(call, 2, body.input[output], body.input[call]),
    /^No tool call found for function call output/,
  ],
  [
    'a call without its reasoning',
    (body) => body.input.splice(reasoning, 1),
    /^Item 'msg_0\d+' of type 'message' was provided without its required 'reasoning' item: 'rs_0\d+'\.$/,
  ],
  [
    'reasoning without what follows it',
    (body) => {
      body.input = [body.input[user], body.input[reasoning]];
    },
    /^Item 'rs_0\d+' of type 'reasoning' was provided without its required following item\.$/,
  ],
  [
    'reasoning before a message of the user',
    (body) => {
      body.input.splice(2, 3, { role: 'user', content: 'And?' });
    },
    /without its required following item\.$/,
  ],
  [
    'altered encrypted reasoning',
    (body) => {
      body.input[reasoning].encrypted_content += 'A';
    },
    /^The encrypted content gAAA\.\.\..*A could not be verified\./,
  ],
  [
    'reasoning that is not stored, without its encrypted content',
    (body) => delete body.input[reasoning].encrypted_content,
    /^Item with id 'rs_0\d+' not found\. Items are not persisted when `store` is set to false\./,
    404,
  ],
  [
    'a reference to an item that is not stored',
    (body) => {
      body.input[text] = { type: 'item_reference', id: body.input[text].id };
    },
    /^Item with id 'msg_0\d+' not found\./,
    404,
  ],
  [
    'an earlier response that is not stored',
    set('previous_response_id', 'resp_1'),
    /^Previous response with id 'resp_1' not found\.$/,
  ],
  [
    'a compaction trigger that is not last',
    (body) => body.input.unshift({ type: 'compaction_trigger' }),
    /must be the last item/,
  ],
];

test.each(refusals)('refuses %s', async (_rule, change, message, status = 400) => {
  const answer = await answerTo(server, path, changed(request, change), headers.openai);
  expect(answer.json.error?.message).toMatch(message);
  expect(answer.status).toBe(status);
  expect(server.requests.at(-1)?.outcome).toBe('invalid');
});

test('accepts the conversation that the refused ones are made of, and counts it', async () => {
  expect((await answerTo(server, path, request, headers.openai)).status).toBe(200);
  const { tokens } = server.requests.at(-1) ?? {};
  const { store: _, include: __, ...counted } = request;
  const { status, json } = await answerTo(server, `${path}/input_tokens`, counted, headers.openai);
  expect({ status, json }).toEqual({
    status: 200,
    json: { object: 'response.input_tokens', input_tokens: tokens },
  });
});

test('a stored conversation goes on by the id of its response, and by references', async () => {
  const { store: _, include: __, ...stored } = request;
  const first = await answerTo(server, path, { ...stored, input: 'Look.' }, headers.openai);
  const { call_id } = first.json.output.at(-1);
  const found = { type: 'function_call_output', call_id, output: 'Found.' };
  const byResponse = { ...stored, previous_response_id: first.json.id, input: [found] };
  expect((await answerTo(server, path, byResponse, headers.openai)).status).toBe(200);
  const references = first.json.output.map(({ id }: Json) => ({ type: 'item_reference', id }));
  const input = [{ role: 'user', content: 'Look.' }, ...references, found];
  expect((await answerTo(server, path, { ...stored, input }, headers.openai)).status).toBe(200);
});

test('an overflow in the stream is a response that failed', async () => {
  const told = await startOpenAiServer({ overflowAt: [1], overflowBy: 'stream' });
  const response = await post(told, path, { ...request, stream: true, input: 'Look.' }, headers.openai);
  const events = (await response.text()).trim().split('\n\n');
  await told.close();
  expect(response.status).toBe(200);
  expect(events.map((event) => event.split('\n')[0])).toEqual([
    'event: response.created',
    'event: response.in_progress',
    'event: response.failed',
  ]);
  const failed = JSON.parse(String(events.at(-1)?.split('data: ')[1]));
  expect(failed.response.error).toEqual({
    code: 'context_length_exceeded',
    message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
  });
});
