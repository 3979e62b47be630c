import { type ModelServer, startOpenAiServer } from '@ctx/servers';
import { answerTo, headers, type Json, post, set, testRefusals } from './post.js';

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

testRefusals(() => ({ server, path, headers: headers.openai, request }), {
  error: { error: { type: 'invalid_request_error' } },
  misfitWords: (place, problem) => `Invalid value: '${place}' ${problem}`,
  misfits: [
    ['input', undefined, 'is missing.'],
    ['messages', [], 'is not known.'],
    [`input[${call}].parsed_arguments`, null, 'is not known.'],
    [`input[${call}].type`, 'tool_call', 'must be one of message'],
    [`input[${user}].role`, 'tool', 'must be one of assistant, system, developer, user.'],
    [`input[${output}].output`, undefined, 'is missing.'],
    [`input[${output}].output`, {}, 'must be of the type string or array.'],
  ],
  refused: [
    [
      "Invalid value: 'output_text'. Supported values are: 'input_text', 'input_image', and 'input_file'.",
      set(`input[${user}].content[0].type`, 'output_text'),
    ],
    [
      "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'.",
      set(`input[${text}].content`, [{ type: 'input_text', text: 'a' }]),
    ],
    ['No tool output found for function call call_0', (body) => body.input.splice(output, 1)],
    ['No tool call found for function call output with call_id call_0', (body) => body.input.splice(call, 1)],
    [
      'No tool call found for function call output',
      (body) => body.input.splice(call, 2, body.input[output], body.input[call]),
    ],
    [
      "Item 'msg_000000000000000000000002' of type 'message' was provided without its required 'reasoning' item: 'rs_0",
      (body) => body.input.splice(reasoning, 1),
    ],
    [
      "Item 'rs_000000000000000000000001' of type 'reasoning' was provided without its required following item.",
      (body) => body.input.splice(text),
    ],
    [
      "Item 'rs_000000000000000000000001' of type 'reasoning' was provided without its required following item.",
      (body) => body.input.splice(text, 3, { role: 'user', content: 'And?' }),
    ],
    [
      'The encrypted content gAAA...AAAB could not be verified.',
      set(`input[${reasoning}].encrypted_content`, 'gAAAAB'),
    ],
    [
      "Item with id 'rs_000000000000000000000001' not found. Items are not persisted when `store` is set to false.",
      set(`input[${reasoning}].encrypted_content`, undefined),
      404,
    ],
    ["Item with id 'msg_1' not found.", set(`input[${text}]`, { type: 'item_reference', id: 'msg_1' }), 404],
    ["Previous response with id 'resp_1' not found.", set('previous_response_id', 'resp_1')],
    [
      "The 'compaction_trigger' item must be the last item",
      (body) => body.input.unshift({ type: 'compaction_trigger' }),
    ],
  ],
});

test('accepts the conversation that the refused ones are made of, and counts it', async () => {
  expect((await answerTo(server, path, request, headers.openai)).status).toBe(200);
  const { tokens } = server.requests.at(-1) ?? {};
  const { store: _, include: __, ...counted } = request;
  const { status, json } = await answerTo(server, `${path}/input_tokens`, counted, headers.openai);
  expect(status).toBe(200);
  expect(json).toEqual({ object: 'response.input_tokens', input_tokens: tokens });
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
  const names = ['response.created', 'response.in_progress', 'response.failed'];
  expect(events.map((event) => event.split('\n')[0])).toEqual(names.map((name) => `event: ${name}`));
  const failed = JSON.parse(String(events.at(-1)?.split('data: ')[1]));
  expect(failed.response.error).toEqual({
    code: 'context_length_exceeded',
    message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
  });
});
