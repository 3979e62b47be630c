import { type ModelServer, startGeminiServer } from '@ctx/servers';
import { answerTo, changed, headers, type Json, post, set, testAcceptances, testRefusals } from './post.js';

const path = '/v1beta/models/gemini-3-pro:generateContent';
let server: ModelServer;
/** A user message, then two rounds of calls with their responses. */
let request: Json;

beforeAll(async () => {
  server = await startGeminiServer();
  request = {
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    tools: [{ functionDeclarations: [{ name: 'read_file' }] }],
    contents: [{ role: 'user', parts: [{ text: 'Look.' }] }],
  };
  for (let round = 0; round < 2; round += 1) {
    const { content } = (await answerTo(server, path, request, headers.gemini)).json.candidates[0];
    const calls = content.parts.filter(({ functionCall }: Json) => functionCall);
    request.contents.push(content, {
      role: 'user',
      parts: calls.map(({ functionCall }: Json) => ({
        functionResponse: { name: functionCall.name, response: { output: 'Found.' } },
      })),
    });
  }
});
afterAll(() => server.close());

const callIn = (body: Json, index: number) =>
  body.contents[index].parts.find(({ functionCall }: Json) => functionCall);

const accepted = () => ({ server, path, headers: headers.gemini, request });
testRefusals(accepted, {
  error: { error: { code: 400, status: 'INVALID_ARGUMENT' } },
  misfitWords: (place, problem) => `Invalid JSON payload received. ${place} ${problem}.`,
  misfits: [
    ['contents', [], 'must not be empty'],
    ['messages', 1, 'is not known'],
    ['contents[0].parts[0].type', 'text', 'is not known'],
    ['contents[0].parts[0].text', 7, 'must be of the type string'],
    ['contents[2].parts[0].functionResponse.response', 'Found.', 'must be of the type object'],
    ['contents[1].role', 'assistant', 'must be one of user, model, function'],
  ],
  refused: [
    [
      '* GenerateContentRequest.contents[0].parts: contents.parts must not be empty.\n',
      set('contents[0].parts', []),
    ],
    [
      "* GenerateContentRequest.contents[0].parts[0].data: required oneof field 'data' must have one initialized field\n",
      set('contents[0].parts[0].text', ''),
    ],
    [
      '* GenerateContentRequest.contents[1].parts[1].function_call.name: Name cannot be empty.\n',
      (body) => Object.assign(callIn(body, 1).functionCall, { name: '' }),
    ],
    [
      '* GenerateContentRequest.contents[2].parts[0].function_response.name: Name cannot be empty.\n',
      set('contents[2].parts[0].functionResponse.name', undefined),
    ],
    [
      'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
      (body) => body.contents[4].parts.pop(),
    ],
    [
      'Please ensure that the number of function response parts is equal',
      set('contents[2].parts', [{ text: 'And?' }]),
    ],
    [
      'Please ensure that function response turn comes immediately after a function call turn.',
      (body) => body.contents.splice(1, 1),
    ],
    [
      'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
      (body) => body.contents.splice(1, 0, { role: 'model', parts: [{ text: 'So.' }] }),
    ],
    [
      'Please ensure that function call turn comes immediately after a user turn',
      (body) => body.contents.shift(),
    ],
    [
      'Please ensure that multiturn requests end with a user turn or a function response turn.',
      (body) => body.contents.push({ role: 'model', parts: [{ text: 'So.' }] }),
    ],
    [
      'Function call is missing a thought_signature in functionCall parts. ',
      (body) => delete callIn(body, 3).thoughtSignature,
    ],
    ['Thought signature is not valid.', (body) => Object.assign(callIn(body, 1), { thoughtSignature: 'AA' })],
  ],
});

testAcceptances(accepted, [
  ['two messages of the user', (body) => body.contents.push({ role: 'user', parts: [{ text: 'And?' }] })],
  [
    'calls of earlier turns without signatures',
    (body) => {
      delete callIn(body, 1).thoughtSignature;
      delete callIn(body, 3).thoughtSignature;
      body.contents.push({ role: 'user', parts: [{ text: 'And?' }] });
    },
  ],
  [
    'the signature that stands for none',
    (body) => {
      callIn(body, 1).thoughtSignature = 'skip_thought_signature_validator';
    },
  ],
]);

test('an older model neither signs nor wants signatures', async () => {
  const older = path.replace('gemini-3-pro', 'gemini-2.5-pro');
  const first = { ...request, contents: request.contents.slice(0, 1) };
  const { json } = await answerTo(server, older, first, headers.gemini);
  expect(JSON.stringify(json)).not.toContain('thoughtSignature');
  const unsigned = changed(request, (body) => {
    delete callIn(body, 1).thoughtSignature;
    delete callIn(body, 3).thoughtSignature;
  });
  expect((await answerTo(server, older, unsigned, headers.gemini)).status).toBe(200);
});

test('a request without a key is refused as Google refuses it, which is not 401', async () => {
  const { status, json } = await answerTo(server, path, request, {});
  expect({ status, name: json.error.status }).toEqual({ status: 403, name: 'PERMISSION_DENIED' });
  expect((await answerTo(server, `${path}?key=test`, request, {})).status).toBe(200);
});

test('a stream is one only with alt=sse', async () => {
  const streaming = path.replace('generateContent', 'streamGenerateContent');
  const response = await post(server, `${streaming}?alt=sse`, request, headers.gemini);
  const events = (await response.text()).trim().split('\r\n\r\n');
  const chunks = events.map((event) => JSON.parse(event.replace('data: ', '')));
  expect(chunks.length).toBeGreaterThan(1);
  expect(chunks.map(({ candidates }) => candidates[0].finishReason).filter(Boolean)).toEqual(['STOP']);
  expect((await answerTo(server, streaming, request, headers.gemini)).status).toBe(404);
});

test('the model goes on after its newest call, even if a client gives the fields of the call in another order', async () => {
  const shorter = changed(request, ({ contents }) => {
    contents.splice(1, 2);
    const part = contents[1].parts.find(({ functionCall }: Json) => functionCall);
    const { name, args } = part.functionCall;
    part.functionCall = { args, name };
  });
  const { json } = await answerTo(server, path, shorter, headers.gemini);
  const [call] = json.candidates[0].content.parts.flatMap(({ functionCall }: Json) => functionCall ?? []);
  expect(call.args).toEqual({ path: 'src/look--3-0.ts' });
});
