import { Readable } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { type ContextFetchOptions, contextFetch } from '../src/index.js';
import { events, json, type Reply, startServer } from './server.js';
import { codesOf, longHistory, watchedFetch } from './watched-fetch.js';

const answer = { choices: [{ message: { role: 'assistant', content: 'ok' } }], usage: { prompt_tokens: 50 } };
const limit = "This model's maximum context length is 2000 tokens.";
const tooLong = { error: { message: limit, type: 'invalid_request_error', code: 'context_length_exceeded' } };
const answers: Reply = (response) => json(response, answer);

async function setUp(reply: Reply, options: ContextFetchOptions = {}) {
  const server = await startServer(reply);
  const watched = watchedFetch(options);
  const post = (body: unknown, init: RequestInit = {}, path = '/chat/completions') =>
    watched.send(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer key-of-ann' },
      body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
      ...init,
    });
  return { ...server, ...watched, post };
}

const request = (messages: unknown) => ({ model: 'gpt-5', temperature: 1, messages });
const messagesOf = (body: string) =>
  (JSON.parse(body) as { messages: { role: string; content: string }[] }).messages;

/** Enough for a piece to come through, if one is on its way. */
const turns = async () => {
  for (let turn = 0; turn < 500; turn += 1) await new Promise(setImmediate);
};

describe('a request', () => {
  test('in which nothing has to leave is sent to the byte', async () => {
    const { post, received } = await setUp(answers);
    const body =
      '{ "temperature": 1.0,\n "model":"gpt-5", "messages" : [ {"role":"user", "content":"caf\\u00e9", "x": 1e3} ], "seed":12345678901234567890 }';
    expect(await (await post(body)).json()).toEqual(answer);
    expect(received[0]?.body).toBe(body);
    expect(received[0]?.headers.authorization).toBe('Bearer key-of-ann');
  });

  test('keeps every digit of its numbers, also in messages that are shortened', async () => {
    const { post, received } = await setUp(
      (response) => json(response, { content: [{ type: 'text', text: 'ok' }], usage: { input_tokens: 50 } }),
      { config: { contextWindow: 4_000, pipeline: ['tool-results', 'oldest-removal'] } },
    );
    const idAt = (at: number) => `1234567890123456${String(789 - at)}`;
    const rows = Array.from({ length: 200 }, (_, at) => `{"order":${idAt(at)},"rate":${at}.0}`);
    const result = JSON.stringify(`[${rows.join(',')}]`);
    const call = `{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"find_orders","input":{"first":${idAt(5)},"rate":1.0}}]}`;
    const answer = `{"role":"user","x_trace":${idAt(7)},"content":[{"type":"tool_result","tool_use_id":"t","x_of":[${idAt(8)},1.0],"content":${result}}]}`;
    await post(
      `{"model":"claude-sonnet-4-5","max_tokens":100,"messages":[{"role":"user","content":"Find them."},${call},${answer},{"role":"assistant","content":"Yes."},{"role":"user","content":"Go on."}]}`,
      {},
      '/v1/messages',
    );
    const [{ body = '' } = {}] = received;
    expect(body).toContain('left out');
    expect(body).toContain(call);
    expect(body).toContain(`"x_trace":${idAt(7)}`);
    expect(body).toContain(`"x_of":[${idAt(8)},1.0]`);
    const ids = body.match(/123456789012\d+/g) ?? [];
    expect(ids.length).toBeGreaterThan(10);
    expect(ids.filter((one) => !rows.some((row) => row.includes(one)))).toEqual([]);
  });

  test('that the provider refuses as too large is sent once more, smaller', async () => {
    const { post, received } = await setUp((response, _, number) =>
      number === 2 ? json(response, tooLong, 400) : json(response, answer),
    );
    const history = longHistory(12);
    await post(request(history.slice(0, -2)));
    const response = await post(request(history));
    expect([response.status, await response.json()]).toEqual([200, answer]);
    expect(received).toHaveLength(3);
    expect((received[2]?.body ?? '').length).toBeLessThan((received[1]?.body ?? '').length);
    expect(messagesOf(received[2]?.body ?? '').at(-1)?.content).toBe('And now?');
  });

  test('that was given as a Request is sent again as well', async () => {
    const { received, send, url } = await setUp((response, _, number) =>
      number === 1 ? json(response, tooLong, 400) : json(response, answer),
    );
    const body = JSON.stringify(request(longHistory(10)));
    const headers = { authorization: 'Bearer key-of-ann', 'x-own': 'a' };
    const response = await send(new Request(`${url}/chat/completions`, { method: 'POST', body, headers }));
    expect([response.status, received.length]).toEqual([200, 2]);
    expect(received[1]?.headers).toMatchObject(headers);
    expect(received[1]?.body.length).toBeLessThan(body.length);
  });

  test('that stays too large brings the provider’s own error in the end', async () => {
    const { post, received } = await setUp((response) => json(response, tooLong, 400));
    const response = await post(request(longHistory(5)));
    expect([response.status, await response.json()]).toEqual([400, tooLong]);
    expect(response.headers.get('x-request-id')).toBe('r1');
    expect(received.length).toBeLessThanOrEqual(4);
  });
});

test('the room for the answer is what a request of Anthropic’s form asks for, if that is less than the model may need', async () => {
  const { post, managers } = await setUp(answers, { config: {} });
  for (const max_tokens of [64_000, 40_000, 8_000]) {
    const messages = [{ role: 'user', content: `${max_tokens}` }];
    await post({ model: 'claude-sonnet-4-5', max_tokens, messages }, {}, '/messages');
  }
  const [most, same, more] = managers.map((manager) => manager.stats().allowedTokens);
  expect(same).toBe(most);
  expect((more ?? 0) - (most ?? 0)).toBe(32_000);
});

describe('an answer', () => {
  test('that is streamed passes byte for byte as it comes, and its usage is read', async () => {
    let proceed = () => {};
    const { post, managers } = await setUp((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const text = Buffer.from('data: {"choices":[{"delta":{"content":"café"}}]}\n\n');
      response.write(text.subarray(0, 45));
      proceed = () => {
        response.write(text.subarray(45));
        response.end('data: {"choices":[],"usage":{"prompt_tokens":300}}\n\ndata: [DONE]\n\n');
      };
    });
    const response = await post({ ...request(longHistory(2)), stream: true });
    const pieces: Uint8Array[] = [];
    for await (const piece of response.body as ReadableStream<Uint8Array>) {
      pieces.push(piece);
      if (pieces.length > 1) continue;
      expect(Buffer.from(piece).toString('latin1')).toContain('data: {"choices"');
      proceed();
    }
    expect(Buffer.concat(pieces).toString('utf8')).toBe(
      'data: {"choices":[{"delta":{"content":"café"}}]}\n\ndata: {"choices":[],"usage":{"prompt_tokens":300}}\n\ndata: [DONE]\n\n',
    );
    expect(managers[0]?.stats().currentTokens).toBe(300);
  });

  test('whose reader stops after the event that ends it has told its usage', async () => {
    const { post, managers } = await setUp((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"type":"response.completed","response":{"usage":{"input_tokens":300}}}\n\n');
    });
    const response = await post({ ...request(longHistory(2)), stream: true });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await reader.cancel();
    expect(managers[0]?.stats().currentTokens).toBe(300);
  });

  test('whose stream begins with an overflow is asked for once more; later it is passed on', async () => {
    const failed = { type: 'response.failed', response: { error: { code: 'context_length_exceeded' } } };
    const error = { type: 'error', error: { message: 'prompt is too long: 9 tokens > 8 maximum' } };
    for (const first of [[failed], [{ type: 'ping' }, error]]) {
      const { post, received } = await setUp((response, _, number) =>
        events(response, number === 1 ? first : [{ choices: [{ delta: { content: 'ok' } }] }, error]),
      );
      const text = await (await post({ ...request(longHistory(20)), stream: true })).text();
      expect(received).toHaveLength(2);
      expect(text).toContain('"content":"ok"');
      expect(text).toContain('prompt is too long');
    }
  });

  const fullWindow = 'model_context_window_exceeded';
  const words = 'prompt is too long: 9000 tokens > 8192 maximum';
  const stopped = { choices: [{ finish_reason: fullWindow, message: { role: 'assistant', content: '' } }] };
  const ofMinute = 'Request too large on tokens per minute (TPM): Limit 6000, Requested 9538';
  const failing = (message: string, status = 200): Reply => {
    return (to) => json(to, { error: { message } }, status);
  };
  const streaming = (...parts: object[]): Reply => {
    return (to) => events(to, parts);
  };
  const begun = { choices: [{ delta: { role: 'assistant', content: '' }, finish_reason: null }] };
  const started = { type: 'message_start', message: { role: 'assistant', content: [], stop_reason: null } };
  test.each<[string, Reply]>([
    ['a limit of a minute that it exceeds by itself', failing(ofMinute, 429)],
    ['an error of a gateway', failing('litellm.ContextWindowExceededError: too long', 500)],
    ['an error in an answer', failing('Context size has been exceeded.')],
    ['an answer that stopped at the window', (to) => json(to, stopped)],
    [
      'a stream that stopped at the window',
      streaming(begun, { choices: [{ delta: {}, finish_reason: fullWindow }] }),
    ],
    [
      'a stream of events that stopped at the window',
      streaming(started, { type: 'message_delta', delta: { stop_reason: fullWindow } }),
    ],
    [
      'a stream that fails after it has begun',
      streaming(begun, { error: { message: 'Reached context length of 8192 tokens with model (arch: x)' } }),
    ],
    ...[
      { code: 20015, message: words },
      { object: 'error', message: words, code: 400 },
      { detail: [{ msg: words }] },
      { errors: [{ message: words }] },
      { error: true, message: words },
      { error_code: 336103, error_msg: 'Prompt tokens too long' },
      { header: { code: 10907, message: 'token数量超过上限' } },
      { Response: { Error: { Code: 'InvalidParameter', Message: words } } },
      [{ error: { code: 400, message: words } }],
      { error: { message: 'Provider returned error', metadata: { raw: words } } },
      { choices: [{ finish_reason: 'error', error: { message: words } }] },
      { choices: [{ finish_reason: 'context_length_exceeded', message: { content: '' } }] },
      { candidates: [{ finishReason: 'MODEL_CONTEXT_WINDOW_EXCEEDED' }] },
      { type: 'error', code: 'context_length_exceeded', message: 'Bad request' },
      { status: 'incomplete', incomplete_details: { reason: 'context_window_exceeded' }, output: [] },
    ].map((body): [string, Reply] => [`status 200 and ${JSON.stringify(body)}`, (to) => json(to, body)]),
  ])('is made smaller after %s', async (_, refusal) => {
    const { post, received } = await setUp((response, received, number) =>
      number === 1 ? refusal(response, received, number) : json(response, answer),
    );
    const response = await post(request(longHistory(20)));
    expect(await response.json()).toEqual(answer);
    const [first, second] = received.map(({ body }) => body.length);
    expect(second).toBeLessThan(first as number);
  });

  test.each([
    { choices: [{ finish_reason: 'stop', message: { role: 'assistant', content: words } }] },
    {
      choices: [{ finish_reason: 'stop', message: { content: '' } }],
      base_resp: { status_code: 0, status_msg: '' },
    },
    { message: { role: 'assistant', content: words } },
    { type: 'message', content: [{ type: 'text', text: words }], stop_reason: 'end_turn' },
    { error: null, status: 'completed', output: [{ content: [{ text: words }] }] },
  ])('that only speaks of an overflow is an answer: %j', async (said) => {
    const { post, received } = await setUp((response) => json(response, said));
    expect(await (await post(request(longHistory(20)))).json()).toEqual(said);
    expect(received).toHaveLength(1);
  });

  test.each([401, 429, 500])('that is refused for now (%i) passes as it came', async (status) => {
    const busy = { error: { message: 'tokens per minute (TPM): Limit 6000, Used 5900, Requested 1538' } };
    const { post, received } = await setUp((response) => json(response, busy, status));
    expect(await (await post(request(longHistory(20)))).json()).toEqual(busy);
    expect(received).toHaveLength(1);
  });

  test('whose window is full in the middle of an answer is smaller when it is asked again', async () => {
    const error = { error: { message: 'Reached context length of 4096 tokens with model (arch: x)' } };
    const { post, received } = await setUp((response) =>
      events(response, [{ choices: [{ delta: { content: 'I wi' } }] }, error]),
    );
    for (let time = 0; time < 2; time += 1) {
      expect(await (await post(request(longHistory(20)))).text()).toContain('Reached context length');
      await turns();
    }
    const [first, second] = received.map(({ body }) => body.length);
    expect(second).toBeLessThan(first as number);
  });

  test('that allows its answer the whole window passes with its error; the next is as before', async () => {
    const error = { message: 'exceeded model token limit: 131072 (requested: 132300)' };
    const { post, received, warnings } = await setUp((response, { body }) =>
      body.includes('"max_tokens":131072') ? json(response, { error }, 400) : json(response, answer),
    );
    const asked = request(longHistory(14));
    for (let time = 0; time < 3; time += 1)
      expect((await post({ ...asked, max_tokens: 131_072 })).status).toBe(400);
    await post({ ...asked, max_tokens: 100 });
    expect(received).toHaveLength(4);
    for (const { body } of received) expect(messagesOf(body)).toEqual(asked.messages);
    expect(codesOf(warnings)).toEqual(['output-too-large']);
    expect(warnings[0]?.message).toContain('131,072');
  });

  test('with too many pictures is sent without the oldest, with all that was said, and teaches no window', async () => {
    const header = `\x89PNG\r\n\x1a\n${'\0'.repeat(4)}IHDR\0\0\x01\0\0\0\x01\0`;
    const url = `data:image/png;base64,${Buffer.from(header, 'latin1').toString('base64')}`;
    const picture = { type: 'image_url', image_url: { url } };
    const pictures = Array.from({ length: 30 }, (_, at) => [
      { role: 'user', content: [{ type: 'text', text: `page ${at}` }, picture] },
      { role: 'assistant', content: 'seen' },
    ]).flat();
    const reply: Reply = (response, { body }) => {
      const count = body.split('"image_url":{').length - 1;
      if (count <= 8) json(response, answer);
      else json(response, { error: { message: 'At most 8 image(s) may be provided in one request.' } }, 400);
    };
    const { post, received, warnings } = await setUp(reply, { config: { contextWindow: 100_000 } });
    const asked = [...pictures, { role: 'user', content: 'And now?' }];
    for (let time = 0; time < 2; time += 1) expect((await post(request(asked))).status).toBe(200);
    expect(received).toHaveLength(3);
    const sent = messagesOf(received.at(-1)?.body ?? '');
    expect(sent).toHaveLength(asked.length);
    expect(JSON.stringify(sent)).toContain(
      '[image of 256 × 256 pixels left out: the provider takes no more]',
    );
    expect(warnings).toEqual([]);
  });

  test('whose stream begins with an overflow that can not be helped passes byte for byte', async () => {
    const failed = { type: 'response.failed', response: { error: { code: 'context_length_exceeded' } } };
    const { post, received } = await setUp((response) => events(response, [{ type: 'ping' }, failed]));
    const response = await post({ ...request([{ role: 'user', content: 'hi' }]), stream: true });
    expect(await response.text()).toBe(`data: {"type":"ping"}\n\ndata: ${JSON.stringify(failed)}\n\n`);
    expect(received.length).toBeLessThanOrEqual(4);
  });

  test('with an overflow passes as it came if ctx fails to recover', async () => {
    const { post, warnings } = await setUp((response) => json(response, tooLong, 400), {
      onManager: (manager) => {
        manager.recover = () => {
          throw new Error('broken');
        };
      },
    });
    const response = await post(request(longHistory(5)));
    expect([response.status, await response.json()]).toEqual([400, tooLong]);
    expect(codesOf(warnings)).toEqual(['recover-failed']);
  });

  test.each<[string, Reply, number, string]>([
    [
      'a page of HTML',
      (response) => response.writeHead(502).end('<html>bad</html>'),
      502,
      '<html>bad</html>',
    ],
    ['no content', (response) => response.writeHead(204).end(), 204, ''],
    ['JSON that is none', (response) => json(response, '{"usage":'), 200, '{"usage":'],
  ])('that is %s reaches the caller', async (_, reply, status, text) => {
    const { post } = await setUp(reply);
    const response = await post(request(longHistory(1)));
    expect([response.status, await response.text()]).toEqual([status, text]);
  });

  test('that never comes can be aborted', async () => {
    const gone = new AbortController();
    const { post } = await setUp(() => gone.abort());
    const sent = post(request(longHistory(1)), { signal: gone.signal });
    await expect(sent).rejects.toThrow(/abort/i);
  });
});

describe('a body in another form is read as well:', () => {
  const body = JSON.stringify(request(longHistory(60)));
  const bytes = new TextEncoder().encode(body);
  const inPieces = async function* () {
    for (let at = 0; at < bytes.length; at += 5_000) yield bytes.subarray(at, at + 5_000);
  };
  test.each<[string, () => unknown]>([
    ['a text with a byte order mark', () => `\ufeff${body}`],
    ['bytes with a byte order mark', () => new TextEncoder().encode(`\ufeff${body}`)],
    ['bytes', () => bytes],
    ['a Blob', () => new Blob([body], { type: 'application/json' })],
    ['a DataView', () => new DataView(bytes.buffer)],
    ['a stream', () => ReadableStream.from(inPieces())],
    ['a stream of Node', () => Readable.from(inPieces())],
    ['pieces', inPieces],
  ])('%s', async (_, made) => {
    const { send, url, received, warnings } = await setUp(answers);
    const init = { method: 'POST', body: made(), duplex: 'half' } as RequestInit;
    expect((await send(`${url}/chat/completions`, init)).status).toBe(200);
    expect(JSON.parse(received[0]?.body ?? '').messages.length).toBeLessThan(60);
    expect(warnings).toEqual([]);
  });

  test('a stream with nothing to leave out passes to the byte, and so does one that no endpoint reads', async () => {
    const { send, url, received } = await setUp(answers);
    for (const path of ['/chat/completions', '/files'])
      await send(`${url}${path}`, {
        method: 'POST',
        body: new Blob([' {"messages": [1.0]}\n']).stream(),
        duplex: 'half',
      } as RequestInit);
    expect(received.map((one) => one.body)).toEqual(Array(2).fill(' {"messages": [1.0]}\n'));
  });

  test('a stream of seventy megabytes passes, and the error of one that breaks off reaches the caller', async () => {
    const { send, url, received, warnings } = await setUp(answers);
    const mega = new Uint8Array(1 << 20).fill(120);
    const stream = (count: number, error?: Error) =>
      ReadableStream.from(
        (async function* () {
          for (let at = 0; at < count; at += 1) yield mega;
          if (error !== undefined) throw error;
        })(),
      );
    const post = (body: unknown) =>
      send(`${url}/chat/completions`, { method: 'POST', body, duplex: 'half' } as RequestInit);
    expect((await post(stream(70))).status).toBe(200);
    expect(received[0]?.body.length).toBe(70 << 20);
    await expect(post(stream(1, new Error('cut off')))).rejects.toThrow('cut off');
    expect(codesOf(warnings)).toEqual(['body-too-large']);
  });
});

describe('a body that is packed', () => {
  const text = JSON.stringify(request(longHistory(60)));
  const bomb = brotliCompressSync(Buffer.alloc(80 * 2 ** 20, 32));
  /** 60 turns of 26 kB, packed with `zstd -19`. */
  const zstd = Buffer.from(
    'KLUv/WQXZ1UDANKGFRdwbRuOM3YVJRmisLVQ/39+sBYrkv8/zK94F55VZDqkd2Tm9mldzQrzSu/ZlAMbSsVMGnvhstuu3pqtazzdJTtXz7buEaHOiSzmZJ4eAN0gV2/JlnkUBAAwpu/ah1eKWrQ699RCmQFvLGZt',
    'base64',
  );
  const zstdOf = (...bytes: number[]) => Buffer.from([0x28, 0xb5, 0x2f, 0xfd, ...bytes, 1, 0, 0]);
  /** Of 128 kB each: one byte that is repeated. */
  const blocks = Array(600).fill([2, 0, 16, 120]).flat();
  const headersOf = (encoding: string) => {
    return { 'content-encoding': encoding, authorization: 'Bearer key-of-ann' };
  };

  test.each<[string, Buffer]>([
    ['zstd', zstd],
    ['gzip', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['br, identity, gzip', gzipSync(brotliCompressSync(text))],
    ['x-gzip, deflate', deflateSync(gzipSync(text))],
  ])('with %s is read, and leaves unpacked where it changes', async (encoding, body) => {
    const { post, received, warnings } = await setUp(answers);
    await post(body, { headers: headersOf(encoding) });
    expect(warnings).toEqual([]);
    expect(received[0]?.headers['content-encoding']).toBeUndefined();
    expect(messagesOf(received[0]?.body ?? '').at(-1)).toEqual({ role: 'user', content: 'And now?' });
    expect(received[0]?.body.length).toBeLessThan(20_000);
  });

  test.each<[string, string, Buffer, readonly string[]]>([
    ['fits', 'zstd', zstd, []],
    ['is cut off', 'zstd', zstd.subarray(0, 50), ['request-unmanaged']],
    ['holds too much', 'zstd', zstdOf(0, 0x58, ...blocks), ['request-unmanaged']],
    ['claims two gigabytes in its content', 'zstd', zstdOf(0xa0, 0, 0, 0, 0x7f), ['request-unmanaged']],
    ['claims two gigabytes in its window', 'zstd', zstdOf(0, 0xa8), ['request-unmanaged']],
    ['holds too much', 'br', bomb, ['body-too-large']],
    ['holds too much', 'br, gzip', gzipSync(bomb), ['body-too-large']],
    ['is something else', 'br', Buffer.from('no brotli'), ['request-unmanaged']],
    ['is packed often', 'gzip, gzip, gzip, gzip, gzip', gzipSync(text), ['body-unknown-form']],
  ])('passes as it came where it %s (%s)', async (_, encoding, body, codes) => {
    const { post, received, warnings } = await setUp(answers, { config: {} });
    const before = process.memoryUsage().arrayBuffers;
    await post(body, { headers: headersOf(encoding) });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 28);
    expect(received[0]?.headers['content-length']).toBe(String(body.length));
    expect(codesOf(warnings)).toEqual(codes);
  });
});

test('a body that can not be read is named once', async () => {
  const { send, url, received, warnings } = await setUp(answers);
  const form = new FormData();
  form.set('messages', '[]');
  for (const body of [form, form, new URLSearchParams({ a: '1' })])
    await send(`${url}/chat/completions`, { method: 'POST', body });
  await send(`${url}/chat/completions`, {
    method: 'POST',
    body: new Uint8Array([1, 2]),
    headers: { 'content-encoding': 'compress' },
  });
  expect(received).toHaveLength(4);
  expect(
    warnings.map(({ code, message }) => [code, /FormData|URLSearchParams|compress/.exec(message)?.[0]]),
  ).toEqual([
    ['body-unknown-form', 'FormData'],
    ['body-unknown-form', 'URLSearchParams'],
    ['body-unknown-form', 'compress'],
  ]);
});

describe('what ctx does not understand', () => {
  test.each<[string, unknown, string]>([
    ['a body that is no JSON', 'not json', '/chat/completions'],
    ['a body without messages', '{"model":"gpt-5"}', '/chat/completions'],
    ['a body that is a list', '[1, 2]', '/chat/completions'],
    ['null', 'null', '/chat/completions'],
    ['messages of another form', '{"model":"gpt-5","messages":[{"parts":[]}]}', '/chat/completions'],
    ['messages that no provider takes', '{"messages":[{"role":"tool","content":"x"}]}', '/chat/completions'],
    ['another endpoint', '{"input":"text to embed"}', '/embeddings'],
    ['an unknown endpoint', '{"messages":[]}', '/something/else'],
  ])('passes unchanged: %s', async (_, body, path) => {
    const { post, received, warnings } = await setUp(answers);
    for (let time = 0; time < 2; time += 1) expect((await post(body as string, {}, path)).status).toBe(200);
    expect(received.map((one) => one.body)).toEqual([body, body]);
    expect(warnings.length).toBeLessThanOrEqual(1);
  });
});

test('a key given by the caller names the conversation, and no warning or key holds a secret', async () => {
  const keys: string[] = [];
  const { post, warnings } = await setUp(answers, {
    conversation: ({ headers }) => headers.get('x-thread') ?? undefined,
    onManager: (_, key) => keys.push(key),
  });
  const headers = { 'x-thread': 'thread 7', authorization: 'Bearer key-of-ann' };
  await post(request(longHistory(1)), { headers });
  await post(request([{ role: 'user', content: 'private words' }]));
  await post('{"messages":[{"private":"words"}]}');
  expect(keys[0]).toBe('thread 7');
  expect(keys[1]).toMatch(/^[0-9a-f]{32}-[0-9a-z]+$/);
  expect(JSON.stringify([keys[1], warnings])).not.toMatch(/key-of-ann|private|words/);
});

describe('options that can not work are refused at once', () => {
  test.each<[string, object, string, RegExp]>([
    ['a setting outside of config', { contextWindow: 4_000 }, 'contextWindow', /config: \{ contextWindow/],
    ['a slip of the pen', { onManagr: () => {} }, 'onManagr', /Did you mean "onManager"/],
    ['a slip of the pen in an option of fetch', { sned: fetch }, 'sned', /Did you mean "send"/],
    ['an unknown setting', { config: { contextWindw: 4_000 } }, 'contextWindw', /contextWindow/],
    ['what each request says', { model: 'gpt-5' }, 'model', /each request/],
    ['a number', 7 as never, 'options', /./],
  ])('%s', (_, options, place, remedy) => {
    const refused = { code: 'config-invalid', place, message: expect.stringMatching(remedy) };
    expect(() => contextFetch(options)).toThrow(expect.objectContaining(refused));
  });
});

describe('Claude elsewhere:', () => {
  const conversation = (turns: number) => ({
    anthropic_version: 'bedrock-2023-05-31',
    max_tokens: 100,
    system: 'Be brief.',
    messages: longHistory(turns).slice(1),
  });
  const bedrock = '/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke';
  const vertex =
    '/v1/projects/p/locations/us-east5/publishers/anthropic/models/claude-sonnet-4-5@20250929:streamRawPredict';

  test.each([
    ['Bedrock', bedrock],
    ['Bedrock, streamed', `${bedrock}-with-response-stream`],
    ['Vertex', vertex],
  ])('a conversation on %s is kept inside the window', async (_, path) => {
    const { post, received, managers, warnings } = await setUp(answers);
    await (await post(conversation(60), {}, path)).text();
    const sent = JSON.parse(received[0]?.body ?? '');
    expect(sent).toMatchObject({ anthropic_version: 'bedrock-2023-05-31', system: 'Be brief.' });
    expect(sent.messages.length).toBeLessThan(60);
    expect(managers).toHaveLength(1);
    expect(warnings).toEqual([]);
  });

  test('what is signed passes as it came, with one warning, and so does what another model takes', async () => {
    const { post, received, warnings } = await setUp(answers);
    const signed = { authorization: 'AWS4-HMAC-SHA256 Credential=x, SignedHeaders=host, Signature=y' };
    const bodies = [conversation(60), { messages: longHistory(60), inferenceConfig: {} }];
    await (await post(bodies[0], { headers: signed }, bedrock)).text();
    await (await post(bodies[0], { headers: signed }, bedrock)).text();
    await (await post(bodies[1], {}, '/model/amazon.nova-pro-v1%3A0/invoke')).text();
    expect(received.map(({ body }) => body)).toEqual([0, 0, 1].map((at) => JSON.stringify(bodies[at])));
    expect(codesOf(warnings)).toEqual(['request-signed']);
  });
});
