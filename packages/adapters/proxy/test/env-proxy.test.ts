import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { agentStart } from '../src/agents.js';
import { proxyIn } from '../src/env-proxy.js';
import { answer, answers, closeAll, startOne, startUpstream } from './upstream.js';

const closing: (() => void)[] = [];
afterEach(async () => {
  await closeAll();
  for (const close of closing.splice(0)) close();
});

const listening = async (server: Server) => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `ann:p%40ss@127.0.0.1:${(server.address() as AddressInfo).port}`;
};
const login = `Basic ${Buffer.from('ann:p@ss').toString('base64')}`;

const corporate = {
  HTTPS_PROXY: 'http://one.example:1',
  http_proxy: 'two.example:2',
  HTTP_PROXY: 'http://never.example',
  NO_PROXY: 'direct.example, .corp.example,*.dev.example other.example:8443',
};
const ALL_PROXY = 'http://all.example:3';
/** Another kind, which is never asked. */
const socks = { ALL_PROXY: 'socks5://x', HTTPS_PROXY: 'one.example:1', HTTP_PROXY: 'two.example:2' };
const direct = [
  'https://direct.example',
  'https://api.direct.example',
  'https://llm.corp.example',
  'https://llm.dev.example:9',
  'https://other.example:8443',
  'http://127.0.0.1:11434',
  'http://localhost:11434',
  'http://[::1]:11434',
];

test.each<[string, string | undefined, Record<string, string>]>([
  ['https://api.openai.com', 'one.example:1', corporate],
  ['http://api.openai.com', 'two.example:2', corporate],
  ['https://indirect.example', 'one.example:1', corporate],
  ['https://other.example', 'one.example:1', corporate],
  ...direct.map((url): [string, undefined, typeof corporate] => [url, undefined, corporate]),
  ['https://b', undefined, { HTTPS_PROXY: 'http://a', NO_PROXY: '*' }],
  ['https://api.openai.com', 'all.example:3', { ALL_PROXY }],
  ['http://api.openai.com', 'all.example:3', { all_proxy: 'all.example:3' }],
  ['https://api.openai.com', 'one.example:1', { ...corporate, ALL_PROXY }],
  ['https://api.openai.com', undefined, { ALL_PROXY, NO_PROXY: 'openai.com' }],
  ['http://127.0.0.1:1', undefined, { ALL_PROXY }],
  ['https://api.openai.com', 'one.example:1', socks],
  ['https://api.openai.com', 'all.example:3', { HTTP_PROXY: '', https_proxy: '', ALL_PROXY }],
  ['https://api.openai.com', undefined, { HTTPS_PROXY: '', all_proxy: '' }],
])('%s is reached through %s with %j', (url, host, environment) => {
  expect(proxyIn(environment)(new URL(url))?.host).toBe(host);
});

test.each(['HTTPS_PROXY', 'ALL_PROXY'])('a %s of another kind is refused without its password', (place) => {
  const message = expect.not.stringContaining('secret');
  expect(() => proxyIn({ [place]: 'socks5://ann:secret@x' })).toThrow(
    expect.objectContaining({ code: 'config-invalid', place, message }),
  );
});

test('over HTTP the proxy is told the whole address, and the login is for it alone', async () => {
  const seen = await startUpstream(answers);
  const HTTP_PROXY = seen.url.replace('//', '//ann:p%40ss@');
  const proxy = await startOne({ upstream: 'http://llm.example/base', environment: { HTTP_PROXY } });
  const response = await proxy.post({ model: 'gpt-5', messages: [{ role: 'user', content: 'hi' }] });
  expect(await response.json()).toEqual(answer);
  expect(seen.received[0]).toMatchObject({
    path: 'http://llm.example/base/v1/chat/completions',
    headers: { host: 'llm.example', 'proxy-authorization': login, authorization: 'Bearer key-of-ann' },
  });
});

test('over HTTPS it passes what it can not read', async () => {
  const heard: unknown[] = [];
  const server = createServer();
  server.on('connect', ({ url, headers }, socket) => {
    socket.on('error', () => {});
    socket.write('HTTP/1.1 200 Go on\r\n\r\n');
    socket.once('data', (piece: Buffer) => {
      heard.push([url, headers['proxy-authorization'], piece[0], piece.includes('llm.example')]);
      socket.destroy();
    });
  });
  const environment = { HTTPS_PROXY: `http://${await listening(server)}` };
  const proxy = await startOne({ upstream: 'https://llm.example', environment });
  expect((await fetch(`${proxy.url}/v1/models`)).status).toBe(502);
  // A record of TLS, which names the upstream and no key.
  expect(heard[0]).toEqual(['llm.example:443', login, 22, true]);
});

test('a proxy that refuses is a bad gateway, which says so', async () => {
  const server = createServer();
  server.on('connect', (_, socket) => socket.end('HTTP/1.1 407 Who are you?\r\n\r\n'));
  const environment = { https_proxy: `http://${await listening(server)}` };
  const proxy = await startOne({ upstream: 'https://llm.example', environment });
  const response = await fetch(`${proxy.url}/v1/models`);
  expect([response.status, await response.text()]).toEqual([502, expect.stringContaining('PROXY_407')]);
});

test('an agent that goes through a proxy finds this machine without it', () => {
  const { environment } = agentStart(['claude'], 'http://127.0.0.1:9', {
    HTTP_PROXY: 'http://x',
    NO_PROXY: 'a.example',
  });
  expect(environment).toMatchObject({ NO_PROXY: 'a.example,127.0.0.1,localhost' });
  expect(agentStart(['claude'], 'http://127.0.0.1:9', {}).environment.NO_PROXY).toBeUndefined();
});
