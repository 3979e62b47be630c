import { answers, longHistory, rawRequest, request, sendRaw, setUp } from './upstream.js';

const token = 'a-token-that-nobody-guesses';

describe('with a token', () => {
  test.each([
    ['none', '/v1/models', {}, 401],
    ['another one in the header', '/v1/models', { 'x-ctx-token': 'another' }, 401],
    ['another one in the path', '/ctx-token/another/v1/models', {}, 401],
    ['it in the header', '/v1/models', { 'x-ctx-token': token }, 200],
    ['it in the path', `/ctx-token/${token}/v1/models`, {}, 200],
    ['none for the status', '/__ctx/status', {}, 401],
  ])('%s', async (_, path, headers, status) => {
    const { proxy, received } = await setUp(answers, { token });
    expect((await fetch(`${proxy.url}${path}`, { headers })).status).toBe(status);
    expect(received.map((one) => one.path)).toEqual(status === 200 ? ['/v1/models'] : []);
    expect(JSON.stringify(received.map((one) => one.rawHeaders))).not.toContain(token);
  });
});

test.each([
  ['another host without a token', { host: '0.0.0.0' }, 'host'],
  ['a token that can be guessed', { token: 'short' }, 'token'],
  ['a port that is none', { port: 70_000 }, 'port'],
  ['an upstream that is no address', { upstream: 'somewhere' }, 'upstream'],
  ['an upstream of another kind', { upstream: 'file:///etc' }, 'upstream'],
  ['an unknown API', { upstream: { opnai: 'http://x' } as object }, 'upstream.opnai'],
  ['an unknown store', { store: 'mongodb://user:secret@x' }, 'store'],
  ['an option that is none', { contextWindow: 9 } as object, 'contextWindow'],
])('%s is refused at once', async (_, options, place) => {
  const refused = setUp(answers, options);
  await expect(refused).rejects.toMatchObject({ code: 'config-invalid', place });
  await expect(refused).rejects.not.toThrow(/secret/);
});

describe('the status', () => {
  test('has figures, and nothing that was said or who said it', async () => {
    const warnings: unknown[] = [];
    const { proxy } = await setUp(answers, { onWarning: (warning) => warnings.push(warning) });
    await (await proxy.post(request(longHistory(60, 'private')))).arrayBuffer();
    await proxy.post('{"messages":[{"private":"words"}]}');
    await proxy.post('{"private', { path: '/v1/messages' });
    await fetch(`${proxy.url}/v1/private`);
    const text = await (await fetch(`${proxy.url}/__ctx/status`)).text();
    const [one] = (JSON.parse(text) as { conversations: Record<string, number>[] }).conversations;
    expect(one).toMatchObject({ requests: 1, compressions: 1, inputTokens: 50, windowTokens: 4_000 });
    expect(one?.savedTokens).toBeGreaterThan(1_000);
    expect(`${text}${JSON.stringify(warnings)}`).not.toMatch(/key-of-ann|private|words/);
    expect(JSON.parse(text)).toMatchObject({ requests: 4, passed: 3 });
  });

  test('is a page as well, and can only be read', async () => {
    const { proxy, received } = await setUp(answers);
    const page = await fetch(`${proxy.url}/__ctx/`);
    expect(page.headers.get('content-type')).toContain('text/plain');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await page.text()).toContain('0 requests');
    expect((await fetch(`${proxy.url}/__ctx/status`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${proxy.url}/__ctx/else`)).status).toBe(404);
    expect(received).toHaveLength(0);
  });
});

describe('without a token, a page of the web', () => {
  const ask = (url: string, path: string, headers: readonly string[]) =>
    sendRaw(url, rawRequest(`POST ${path}`, ['Connection: close', 'Content-Length: 2', ...headers], '{}'));

  test.each<[string, string[], number]>([
    ['under a name of its own', ['Host: evil.example:8787'], 403],
    ['under a name that begins like this machine', ['Host: 127.0.0.1.evil.example'], 403],
    ['of another origin', ['Host: 127.0.0.1:8787', 'Origin: https://evil.example'], 403],
    [
      'of an origin that begins like this machine',
      ['Host: localhost', 'Origin: http://localhost.evil.example'],
      403,
    ],
    ['of no origin', ['Host: 127.0.0.1', 'Origin: null'], 403],
    ['that says nothing of its origin', ['Host: 127.0.0.1', 'Sec-Fetch-Site: cross-site'], 403],
    [
      'of this machine',
      ['Host: localhost:8787', 'Origin: http://localhost:3000', 'Sec-Fetch-Site: same-site'],
      200,
    ],
    [
      'of this machine, by another name',
      ['Host: [::1]', 'Origin: http://127.0.0.1:3000', 'Sec-Fetch-Site: cross-site'],
      200,
    ],
  ])('%s', async (_, headers, status) => {
    const { proxy, received } = await setUp(answers);
    for (const path of ['/v1/chat/completions', '/v1/models', '/v1/files?x=1'])
      expect(await ask(proxy.url, path, headers)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(received).toHaveLength(status === 200 ? 3 : 0);
    const own = await ask(proxy.url, '/__ctx/status', headers);
    expect(own).toMatch(status === 200 ? /^HTTP\/1\.1 405 / : /^HTTP\/1\.1 403 /);
  });

  test('passes with the token, whoever it is', async () => {
    const { proxy, received } = await setUp(answers, { token });
    const headers = ['Host: agents.example', 'Origin: https://app.example', `x-ctx-token: ${token}`];
    expect(await ask(proxy.url, '/v1/models', headers)).toMatch(/^HTTP\/1\.1 200 /);
    expect(received).toHaveLength(1);
  });
});
