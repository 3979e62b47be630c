import {
  answer,
  answers,
  json,
  longHistory,
  rawRequest,
  request,
  sendRaw,
  setUp,
  startOne,
  tooLong,
} from './upstream.js';

const bodyOf = (received: { readonly body: Buffer } | undefined) => received?.body.toString('utf8') ?? '';

const thread = { type: 'continue', previous_message_id: 'msg_1' };
const threaded = JSON.stringify({ model: 'claude-sonnet-5-5', thread, messages: longHistory(2_000) });

describe('what is none of a conversation passes byte for byte', () => {
  test.each([
    ['another endpoint', 'POST', '/v1/embeddings?x=%20', Buffer.from('{"input": [1.0]}')],
    ['bytes', 'PUT', '/v1/files', Buffer.from([0, 255, 128, 10, 13])],
    ['a page of models', 'GET', '/v1/models', undefined],
    ['a body that is no JSON', 'POST', '/v1/messages', Buffer.from('{"messages":')],
    ['a body in another form', 'POST', '/v1/chat/completions', Buffer.from('[1, 2]')],
    ['bytes that are no text', 'POST', '/v1/responses', Buffer.from([123, 255, 254, 125])],
    ['what a message thread goes on with', 'POST', '/v1/messages?beta=true', Buffer.from(threaded)],
  ])('%s', async (_, method, path, body) => {
    const bytes = Buffer.from([1, 2, 0, 254, 255]);
    const { proxy, received } = await setUp((response) => {
      const twice = Object.entries({ 'X-Odd': ['a', 'b'], 'Set-Cookie': ['c=1', 'd=2'] });
      const pairs = twice.flatMap(([name, values]) => values.flatMap((value) => [name, value]));
      response.writeHead(299, 'Quite Fine', pairs).end(bytes);
    });
    const init = { method, headers: { 'X-Api-Key': 'k', 'anthropic-beta': 'one,two' } };
    const response = await fetch(`${proxy.url}${path}`, { ...init, ...(body && { body }) });
    expect([response.status, response.statusText]).toEqual([299, 'Quite Fine']);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
    expect(response.headers.getSetCookie()).toEqual(['c=1', 'd=2']);
    expect(response.headers.get('x-odd')).toBe('a, b');
    const headers = { 'x-api-key': 'k', 'anthropic-beta': 'one,two' };
    expect(received[0]).toMatchObject({ method, path, headers });
    expect(received[0]?.body).toEqual(body ?? Buffer.alloc(0));
  });

  test('headers keep their case and order, and those of the connection stay behind', async () => {
    const { proxy, received, url } = await setUp(answers);
    const headers = [
      'Host: localhost',
      'X-B: 1',
      'x-a: 2',
      'X-B: 3',
      'Connection: close, X-Mine',
      'X-Mine: 4',
    ];
    const asked = rawRequest('GET /v1/models', [...headers, 'TE: trailers']);
    const answered = await sendRaw(proxy.url, asked);
    const raw = received[0]?.rawHeaders ?? [];
    expect(raw.slice(0, 8)).toEqual(['Host', new URL(url).host, 'X-B', '1', 'x-a', '2', 'X-B', '3']);
    expect(raw.map((one) => one.toLowerCase())).not.toContain('x-mine');
    expect(answered).toContain('X-Request-Id: r1\r\n');
  });

  test('a large body of unknown length', async () => {
    const { proxy, received } = await setUp(answers);
    const piece = Buffer.alloc(1 << 20, 'x');
    const body = ReadableStream.from(Array(70).fill(piece));
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
    expect((await fetch(`${proxy.url}/v1/messages`, init)).status).toBe(200);
    expect(received[0]?.body.length).toBe(70 << 20);
  });
});

describe('a conversation', () => {
  test('that is too long is sent shorter, and the answer says what was saved', async () => {
    const { proxy, received } = await setUp(answers);
    const body = JSON.stringify(request(longHistory(60)));
    const response = await proxy.post(body);
    expect(await response.json()).toEqual(answer);
    const sent = received[0]?.body.length ?? 0;
    expect(sent).toBeLessThan(16_000);
    expect(received[0]?.headers['content-length']).toBe(String(sent));
    const [tokens, saved] = ['x-ctx-tokens', 'x-ctx-saved'].map((name) => Number(response.headers.get(name)));
    expect(saved).toBeGreaterThan(1_000);
    expect((tokens as number) / ((tokens as number) + (saved as number))).toBeCloseTo(sent / body.length, 2);
    expect(response.headers.get('x-ctx-compressions')).toBe('1');
    expect(response.headers.get('X-Request-Id')).toBe('r1');
  });

  test('that the provider refuses as too large is sent again, smaller', async () => {
    const { proxy, received } = await setUp((response, _, number) =>
      number === 2 ? json(response, tooLong, 400) : json(response, answer),
    );
    await proxy.post(request(longHistory(10)));
    const response = await proxy.post(request(longHistory(12)));
    expect([response.status, response.headers.get('x-ctx-retries')]).toEqual([200, '1']);
    expect(received[2]?.body.length).toBeLessThan(received[1]?.body.length ?? 0);
    expect(proxy.status().conversations[0]).toMatchObject({ requests: 2, recovered: 1 });
  });

  test('goes out as it came if anything of ours fails', async () => {
    const broken = () => {
      throw new Error('broken');
    };
    const { proxy, received } = await setUp(answers, {
      onManager: (manager) => void Object.assign(manager, { sync: broken }),
    });
    const body = JSON.stringify(request(longHistory(60)));
    expect((await proxy.post(body)).status).toBe(200);
    expect(bodyOf(received[0])).toBe(body);
    const warnings = [{ code: 'request-unmanaged' }];
    expect(proxy.status()).toMatchObject({ requests: 1, passed: 1, warnings });
  });

  test('in a dry run goes out as it came, and the answer says what would have been saved', async () => {
    const { proxy, received } = await setUp(answers, { dryRun: true });
    const bodies = [60, 61, 62].map((turns) => JSON.stringify(request(longHistory(turns))));
    for (const body of bodies) {
      const response = await proxy.post(body);
      expect(Number(response.headers.get('x-ctx-would-save'))).toBeGreaterThan(1_000);
      await response.arrayBuffer();
    }
    expect(received.map(bodyOf)).toEqual(bodies);
    expect(proxy.status().isDryRun).toBe(true);
  });

  test('in a dry run that overflows brings the provider’s words at once', async () => {
    const { proxy, received } = await setUp((response) => json(response, tooLong, 400), { dryRun: true });
    expect((await proxy.post(request(longHistory(10)))).status).toBe(400);
    expect(received).toHaveLength(1);
  });
});

describe('requests beside a conversation', () => {
  test('a count is that of the request as it would be sent, and moves nothing', async () => {
    const { proxy, received } = await setUp(answers, { config: { contextWindow: 8_000 } });
    const messages = longHistory(120).slice(1);
    const headers = { 'anthropic-version': '2023-06-01' };
    for (const path of ['', '/count_tokens', ''].map((end) => `/v1/messages${end}?beta=true`))
      await proxy.post({ model: 'claude-sonnet-4-5', max_tokens: 9, messages }, { path, headers });
    const [first, count, again] = received.map(bodyOf);
    expect(first?.length).toBeLessThan(JSON.stringify(messages).length / 2);
    expect([count, again]).toEqual([first, first]);
    expect(received[1]?.path).toBe('/v1/messages/count_tokens?beta=true');
    expect(proxy.status().conversations[0]?.requests).toBe(2);
  });

  test('a summary that the agent asks for is written from everything, if it fits', async () => {
    const { proxy, received } = await setUp(answers, {
      config: { contextWindow: 12_000, target: { fraction: 0.2 }, trigger: { fraction: 0.4 } },
    });
    const said = longHistory(60);
    await proxy.post(request(said));
    const whole = JSON.stringify(request(said));
    await proxy.post(whole, { headers: { 'x-interaction-type': 'conversation-compaction' } });
    await proxy.post(request(said));
    const [first, asked, again] = received.map(bodyOf);
    expect(first?.length).toBeLessThan(whole.length * 0.8);
    expect(asked).toBe(whole);
    expect(again).toBe(first);
  });
});

test('a WebSocket is refused with 426, so that agents go on over HTTP', async () => {
  const { proxy, received } = await setUp(answers);
  const key = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];
  const headers = ['Host: x', 'Connection: Upgrade', 'Upgrade: websocket', ...key];
  expect(await sendRaw(proxy.url, rawRequest('GET /v1/responses', headers))).toMatch(/^HTTP\/1\.1 426 /);
  expect(received).toHaveLength(0);
});

test('each API has its own upstream, and a ChatGPT login, too', async () => {
  const servers = await Promise.all([1, 2, 3, 4].map(async () => setUp(answers)));
  const [anthropic, openai, google, chatgpt] = servers.map(({ url }) => url) as [
    string,
    string,
    string,
    string,
  ];
  const upstream = { anthropic: `${anthropic}/a/`, openai, google, chatgpt: `${chatgpt}/backend-api/codex` };
  const proxy = await startOne({ upstream });
  const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
  await proxy.post(request(longHistory(1)));
  await proxy.post(request(longHistory(1)), { path: '/v1/messages' });
  await proxy.post({ contents }, { path: '/v1beta/models/gemini-2.5-pro:generateContent?key=k' });
  const headers = { 'chatgpt-account-id': 'a' };
  await proxy.post({ model: 'gpt-5', input: longHistory(1) }, { path: '/v1/responses?x=1', headers });
  for (const headers of [{ 'anthropic-version': '1' }, { 'chatgpt-account-id': 'a' }])
    await fetch(`${proxy.url}/v1/models`, { headers } as RequestInit);
  expect(servers.map(({ received }) => received.map(({ path }) => path))).toEqual([
    ['/a/v1/messages', '/a/v1/models'],
    ['/v1/chat/completions'],
    ['/v1beta/models/gemini-2.5-pro:generateContent?key=k'],
    ['/backend-api/codex/responses?x=1', '/backend-api/codex/models'],
  ]);
});

test('a summary is asked for at a path of its own', async () => {
  const summary = 'The files were looked at, and none was at fault. Next: the last one.';
  const content = { role: 'model', parts: [{ text: summary }] };
  const { proxy, received } = await setUp(
    (response) => json(response, { candidates: [{ content, finishReason: 'STOP' }] }),
    {
      summarize: true,
      config: { contextWindow: 30_000, reserve: 0, trigger: { tokens: 5000 }, target: { tokens: 3000 } },
    },
  );
  const contents = longHistory(200).slice(1);
  const parted = contents.map(({ role, content: text }) => {
    return { role: role === 'user' ? role : 'model', parts: [{ text }] };
  });
  const model = '/v1beta/models/gemini-2.5-flash';
  await proxy.post({ contents: parted }, { path: `${model}:streamGenerateContent?alt=sse` });
  const paths = [`${model}:generateContent`, `${model}:streamGenerateContent?alt=sse`];
  expect(received.map(({ path }) => path)).toEqual(paths);
  expect(bodyOf(received[1])).toContain(summary);
});

test('a history that begins with an answer gets a line before it where the provider refuses it, from then on at once', async () => {
  const firstRole = (one: { readonly body: Buffer }) => JSON.parse(bodyOf(one)).messages[0].role;
  const error = { message: 'first message must use the "user" role' };
  const { proxy, received } = await setUp((response, one) =>
    firstRole(one) === 'user'
      ? json(response, { usage: { input_tokens: 9 } })
      : json(response, { type: 'error', error }, 400),
  );
  const history = ['A summary of what was before.', 'Go on.', 'step 0', 'And?'].map((content, at) => ({
    role: at % 2 === 0 ? 'assistant' : 'user',
    content,
  }));
  for (const messages of [history.slice(0, 2), history]) {
    const asked = { model: 'claude-sonnet-4-5', max_tokens: 9, messages };
    expect((await proxy.post(asked, { path: '/v1/messages' })).status).toBe(200);
  }
  expect(received.map(firstRole)).toEqual(['assistant', 'user', 'user']);
});
