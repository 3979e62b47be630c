import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Wait } from '@ctx/core';
import { VirtualTime } from '@ctx/testing';
import fc from 'fast-check';
import type { Completion } from '../src/chat-model.js';
import {
  aiSdkModel,
  anthropicCompatible,
  type ChatModel,
  ModelError,
  openaiCompatible,
} from '../src/index.js';
import { eventsOf } from '../src/server-sent-events.js';

type Answer = (
  response: ServerResponse,
  request: { body: Record<string, unknown>; headers: IncomingMessage['headers']; url: string | undefined },
) => void;

let answers: Answer[] = [];
let asked: { body: Record<string, unknown>; headers: IncomingMessage['headers']; url: string | undefined }[] =
  [];
const server = createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  const seen = {
    body: JSON.parse(text) as Record<string, unknown>,
    headers: request.headers,
    url: request.url,
  };
  asked.push(seen);
  (answers.shift() ?? json(500, {}))(response, seen);
});
let baseUrl: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
beforeEach(() => {
  answers = [];
  asked = [];
  time = new VirtualTime();
});

const json =
  (status: number, body: unknown, headers = {}): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const stream =
  (...pieces: (string | Uint8Array)[]): Answer =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) {
      response.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  };
const event = (data: unknown) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
const delta = (content: string) => event({ choices: [{ delta: { content } }] });
const stop = event({ choices: [{ delta: {}, finish_reason: 'stop' }] });
const usage = event({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 20 } });
const done = event('[DONE]');

const secret = 'sk-very-secret';
/** Ms of a time that stands still unless a test lets it pass: no limit ends a test, however slow the machine is. */
const hour = 3_600_000;
let time = new VirtualTime();
/** Lets the delays before retries pass. */
const wait: Wait = (ms, then) => {
  const cancel = time.wait(ms, then);
  if (ms < hour) setImmediate(() => time.pass(ms));
  return cancel;
};
const options = { model: 'm', retryDelayMs: 1, timeoutMs: hour, idleTimeoutMs: hour, apiKey: secret, wait };
const openai = (more = {}) => openaiCompatible({ ...options, baseUrl, ...more });
const anthropic = (more = {}) => anthropicCompatible({ ...options, baseUrl, ...more });
const complete = (model: ChatModel, signal = new AbortController().signal): Promise<Completion> =>
  model.complete({ system: 'sum up', user: 'the history', maxTokens: 100, signal });
const failure = (model: ChatModel, signal?: AbortSignal) =>
  complete(model, signal).catch((error: unknown) => error);

describe('OpenAI’s API', () => {
  test('a streamed answer is assembled, with its usage and its cost', async () => {
    answers = [stream(delta('Hello'), delta(' world'), stop, usage, done)];
    expect(await complete(openai({ prices: { input: 1, output: 10 } }))).toEqual({
      text: 'Hello world',
      stopReason: 'stop',
      usage: { inputTokens: 100, outputTokens: 20 },
      cost: 0.0003,
    });
    expect(asked[0]).toMatchObject({
      url: '/v1/chat/completions',
      body: {
        model: 'm',
        stream: true,
        max_tokens: 100,
        messages: [
          { role: 'system', content: 'sum up' },
          { role: 'user', content: 'the history' },
        ],
      },
      headers: { authorization: `Bearer ${secret}` },
    });
  });

  test('an answer may arrive in any pieces, even inside a character', async () => {
    const bytes = new TextEncoder().encode(delta('Grüße, 世界') + stop + done);
    answers = [
      stream(
        ...Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) =>
          bytes.slice(index * 7, index * 7 + 7),
        ),
      ),
    ];
    expect((await complete(openai())).text).toBe('Grüße, 世界');
  });

  test('a server that does not stream is supported too', async () => {
    answers = [
      json(200, {
        choices: [{ message: { content: 'whole' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1, completion_tokens: 2 },
      }),
    ];
    expect(await complete(openai())).toMatchObject({
      text: 'whole',
      stopReason: 'stop',
      usage: { inputTokens: 1, outputTokens: 2 },
    });
  });

  test.each([
    ['length', { finish_reason: 'length', delta: {} }, 'length'],
    ['a filter', { finish_reason: 'content_filter', delta: {} }, 'refusal'],
    ['a refusal', { finish_reason: 'stop', delta: { refusal: 'No.' } }, 'refusal'],
  ])('the end by %s is reported', async (_what, choice, reason) => {
    answers = [stream(delta('so'), event({ choices: [choice] }), done)];
    expect((await complete(openai())).stopReason).toBe(reason);
  });

  test('the reasoning of a local model is not part of its answer, and a local server needs no key', async () => {
    answers = [stream(delta('<think>hm, hm</think>\n'), delta('It is so.'), stop, done)];
    expect((await complete(openaiCompatible({ model: 'm', baseUrl, apiKey: undefined }))).text).toBe(
      'It is so.',
    );
    expect(asked[0]?.headers.authorization).toBeUndefined();
  });

  test('base URL and key come from the environment if they are not given', async () => {
    const before = { ...process.env };
    Object.assign(process.env, { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: 'from-env' });
    answers = [stream(delta('x'), stop, done)];
    await complete(openaiCompatible({ model: 'm' }));
    expect(asked[0]?.headers.authorization).toBe('Bearer from-env');
    process.env = before;
  });
});

describe('Anthropic’s API', () => {
  test('a streamed answer is assembled, with all of its input', async () => {
    answers = [
      stream(
        `event: message_start\n${event({ type: 'message_start', message: { usage: { input_tokens: 10, cache_read_input_tokens: 90, output_tokens: 1 } } })}`,
        event({ type: 'content_block_delta', delta: { type: 'thinking_delta', thinking: 'hm' } }),
        event({ type: 'content_block_delta', delta: { type: 'text_delta', text: 'It ' } }),
        event({ type: 'content_block_delta', delta: { type: 'text_delta', text: 'went.' } }),
        event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 7 } }),
        event({ type: 'message_stop' }),
      ),
    ];
    expect(await complete(anthropic())).toMatchObject({
      text: 'It went.',
      stopReason: 'stop',
      usage: { inputTokens: 100, outputTokens: 7 },
    });
    expect(asked[0]).toMatchObject({
      url: '/v1/messages',
      body: { system: 'sum up' },
      headers: { 'x-api-key': secret, 'anthropic-version': '2023-06-01' },
    });
  });

  test('a whole answer, its end by length, and a refusal', async () => {
    answers = [
      json(200, {
        content: [{ type: 'text', text: 'cut' }],
        stop_reason: 'max_tokens',
        usage: { input_tokens: 1, output_tokens: 2 },
      }),
      json(200, { content: [], stop_reason: 'refusal' }),
    ];
    expect(await complete(anthropic())).toMatchObject({ text: 'cut', stopReason: 'length' });
    expect((await complete(anthropic())).stopReason).toBe('refusal');
  });

  test('an error in the middle of a stream', async () => {
    answers = [
      stream(
        event({ type: 'content_block_delta', delta: { text: 'half' } }),
        event({ type: 'error', error: { type: 'overloaded_error' } }),
      ),
    ];
    expect(await failure(anthropic())).toMatchObject({ kind: 'server' });
    expect(asked).toHaveLength(1);
  });
});

describe('a failure', () => {
  test.each([
    ['auth', 401, {}, 1],
    ['overflow', 400, { error: { code: 'context_length_exceeded', message: 'too long' } }, 1],
    ['request', 400, { error: { message: 'no such field' } }, 1],
    ['request', 404, {}, 1],
    ['rate-limit', 429, {}, 4],
    ['server', 500, {}, 4],
    ['server', 529, {}, 4],
  ])(
    '%s (HTTP %d) is reported by its kind, and retried only if that may help',
    async (kind, status, body, attempts) => {
      answers = Array.from({ length: 9 }, () => json(status, body));
      expect(await failure(openai())).toMatchObject({ kind, status });
      expect(asked).toHaveLength(attempts);
    },
  );

  test('that is temporary is not reported', async () => {
    answers = [json(500, {}), json(429, {}, { 'retry-after': '0' }), stream(delta('at last'), stop, done)];
    expect((await complete(openai())).text).toBe('at last');
    expect(asked).toHaveLength(3);
  });

  test('without a server is a network failure', async () => {
    const error = await failure(openai({ baseUrl: 'http://127.0.0.1:1/v1', maxRetries: 1 }));
    expect(error).toMatchObject({ kind: 'network' });
  });

  test('in the middle of a stream is final, because the part that has arrived was paid for', async () => {
    answers = [
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(delta('half an answ'), () => response.destroy());
      },
    ];
    expect(await failure(openai())).toMatchObject({ kind: 'network' });
    expect(asked).toHaveLength(1);
  });

  test('is also an answer that ends too early', async () => {
    answers = [stream(delta('and then'))];
    expect(await failure(openai())).toMatchObject({ kind: 'network', message: 'The answer ended too early' });
  });

  test.each([
    [
      'garbage',
      (response: ServerResponse) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end('<html>'),
    ],
    ['garbage in a stream', stream('data: {"choices": [\n\n')],
    ['an event without an end', stream(`data: ${'x'.repeat(1_100_000)}`)],
  ])('is also %s', async (_what, answer) => {
    answers = [answer as Answer];
    expect(await failure(openai())).toMatchObject({ kind: 'malformed' });
  });

  test.each([301, 302, 303, 307, 308])(
    'is also a redirect (HTTP %d): nothing is sent elsewhere',
    async (status) => {
      let strayed = 0;
      const elsewhere = createServer((_request, response) => {
        strayed += 1;
        response.end();
      });
      await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
      const location = `http://localhost:${(elsewhere.address() as AddressInfo).port}/`;
      for (const model of [openai(), anthropic({ headers: { 'x-own': secret } })]) {
        answers = [json(status, {}, { location })];
        expect(await failure(model)).toMatchObject({ kind: 'redirect', status, isRetryable: false });
      }
      expect(asked).toHaveLength(2);
      expect(strayed).toBe(0);
      await new Promise((resolve) => elsewhere.close(resolve).closeAllConnections());
    },
  );

  test.each([
    [200, 'malformed'],
    [404, 'request'],
  ])('is also a body without an end (HTTP %d)', async (status, kind) => {
    let sent = 0;
    answers = [
      (response) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        const more = () => {
          sent += 1_000_000;
          if (!response.destroyed && sent < 1_000_000_000) response.write('x'.repeat(1_000_000), more);
        };
        more();
      },
    ];
    expect(await failure(openai())).toMatchObject({ kind });
    expect(sent).toBeLessThan(200_000_000);
  });

  test('never contains the key or the prompt', async () => {
    answers = [json(401, { error: `bad key ${secret}: the history` })];
    const error = (await failure(openai())) as ModelError;
    expect(error).toBeInstanceOf(ModelError);
    expect(`${error.message} ${JSON.stringify(error)}`).not.toMatch(/sk-very-secret|the history/);
  });
});

describe('a model that does not finish', () => {
  const anHourPasses = () => time.pass(hour);

  test('times out before it begins', async () => {
    answers = [anHourPasses, anHourPasses];
    const patient = openai({ idleTimeoutMs: 2 * hour, maxRetries: 1 });
    expect(await failure(patient)).toMatchObject({ kind: 'timeout' });
    expect(asked).toHaveLength(2);
  });

  test('times out in the middle', async () => {
    answers = [
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(delta('one moment'), anHourPasses);
      },
    ];
    expect(await failure(openai({ timeoutMs: 2 * hour, maxRetries: 0 }))).toMatchObject({ kind: 'timeout' });
  });

  test('is cut off if it streams for ever', async () => {
    answers = [
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const more = () => {
          if (!response.destroyed) response.write(delta('and on '.repeat(50)), () => setImmediate(more));
        };
        more();
      },
    ];
    expect((await complete(openai())).stopReason).toBe('length');
  });
});

describe('an abort', () => {
  const reason = new Error('enough');

  test('before it is asked', async () => {
    expect(await failure(openai(), AbortSignal.abort(reason))).toBe(reason);
    expect(asked).toEqual([]);
  });

  test.each([
    ['while it waits', 1, () => {}],
    [
      'while it streams',
      3,
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(delta('so'));
      },
    ],
  ])('%s', async (_when, waits, answer) => {
    const controller = new AbortController();
    const abort = () => setImmediate(() => controller.abort(reason));
    answers = [
      (response) => {
        answer(response);
        if (waits === 1) abort();
      },
    ];
    let begun = 0;
    const counted: Wait = (ms, then) => {
      // The first is for the answer, the next for what follows its head and its first piece.
      if (ms === hour - 1) begun += 1;
      if (ms === hour - 1 && begun === waits && waits > 1) abort();
      return time.wait(ms, then);
    };
    expect(await failure(openai({ idleTimeoutMs: hour - 1, wait: counted }), controller.signal)).toBe(reason);
    expect(asked).toHaveLength(1);
  });

  test('while it pauses', async () => {
    answers = [json(500, {})];
    const controller = new AbortController();
    void time.begun(5_000).then(() => controller.abort(reason));
    const paused = openai({ retryDelayMs: 5_000, wait: time.wait });
    expect(await failure(paused, controller.signal)).toBe(reason);
    expect(time.waits).toEqual([]);
  });
});

test('a model of the AI SDK', async () => {
  const seen: unknown[] = [];
  const model = aiSdkModel({
    modelId: 'stub',
    doGenerate: async (request) => {
      seen.push(request);
      return {
        content: [
          { type: 'reasoning', text: 'hm' },
          { type: 'text', text: 'So it was.' },
        ],
        finishReason: { unified: 'stop', raw: 'end' },
        usage: { inputTokens: { total: 5 }, outputTokens: { total: 3 } },
      };
    },
  });
  expect(await complete(model)).toEqual({
    text: 'So it was.',
    stopReason: 'stop',
    usage: { inputTokens: 5, outputTokens: 3 },
  });
  expect(seen[0]).toMatchObject({ prompt: [{ role: 'system' }, { role: 'user' }], maxOutputTokens: 100 });
  const older = aiSdkModel({
    modelId: 'v2',
    doGenerate: async () => ({
      content: [],
      finishReason: 'length',
      usage: { inputTokens: 1, outputTokens: 2 },
    }),
  });
  expect(await complete(older)).toMatchObject({
    text: '',
    stopReason: 'length',
    usage: { inputTokens: 1, outputTokens: 2 },
  });
  const broken = aiSdkModel({ modelId: 'x', doGenerate: async () => ({}) as never });
  expect(await failure(broken)).toMatchObject({ kind: 'malformed' });
});

test('an event in very many pieces takes linear time', async () => {
  const byte = new Uint8Array([120]);
  let left = 300_000;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('data: ')),
    pull(controller) {
      left -= 1;
      if (left > 0) controller.enqueue(byte);
      else controller.close();
    },
  });
  const events: string[] = [];
  for await (const data of eventsOf(body)) events.push(data);
  expect(events.map(({ length }) => length)).toEqual([299_999]);
});

test('server-sent events are the same in whatever pieces they arrive', async () => {
  const text = 'data: one\r\n\r\n: comment\ndata: two\ndata:lines\n\nevent: x\ndata: ünï\r\rdata: last';
  const bytes = new TextEncoder().encode(text);
  const read = async (cuts: number[]) => {
    const edges = [0, ...cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length];
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const [index, edge] of edges.slice(1).entries())
          controller.enqueue(bytes.slice(edges[index], edge));
        controller.close();
      },
    });
    const events: string[] = [];
    for await (const data of eventsOf(body)) events.push(data);
    return events;
  };
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(500), { maxLength: 12 }), async (cuts) => {
      expect(await read(cuts)).toEqual(['one', 'two\nlines', 'ünï', 'last']);
    }),
  );
});

test.each([
  ['an event', `data: ${'x'.repeat(1_200_000)}`],
  ['a comment', `: ${'x'.repeat(1_200_000)}`],
  ['an event of many lines', 'data: x\n'.repeat(700_000)],
])('%s without an end is rejected', async (_what, text) => {
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 60_000) controller.enqueue(bytes.slice(at, at + 60_000));
    },
  });
  const read = async () => {
    for await (const data of eventsOf(body)) expect(data).toBe('never');
  };
  await expect(read()).rejects.toMatchObject({ name: 'ModelError', kind: 'malformed' });
});
