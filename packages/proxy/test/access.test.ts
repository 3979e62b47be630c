import { answers, closeAll, longHistory, request, sendRaw, setUp } from './upstream.js';

afterEach(closeAll);

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
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await page.text()).toContain('<title>ctx proxy</title>');
    expect((await fetch(`${proxy.url}/__ctx/status`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${proxy.url}/__ctx/else`)).status).toBe(404);
    expect(received).toHaveLength(0);
  });

  test('is not shown to a page of the web that reaches this machine by a name of its own', async () => {
    const { proxy } = await setUp(answers);
    const ask = (host: string) =>
      sendRaw(proxy.url, `GET /__ctx/status HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(await ask('evil.example:8787')).toMatch(/^HTTP\/1\.1 403 /);
    expect(await ask('localhost:8787')).toMatch(/^HTTP\/1\.1 200 /);
  });
});
