import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { answers, closeAll, rawRequest, sendRaw, setUp, startOne } from './upstream.js';

const closing: (() => void)[] = [];
afterEach(async () => {
  await closeAll();
  for (const close of closing.splice(0)) close();
});

/** An upstream that notes the bytes that it gets, and answers when they end as told. */
async function startBytes(answer: string, end: RegExp) {
  const seen: string[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    const at = seen.push('') - 1;
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', (piece) => {
      seen[at] += piece.toString('latin1');
      if (end.test((seen[at] ?? '').slice(-20))) socket.write(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
/** What an upstream that ignores the length would take for a request of its own. */
const smuggled = 'GET /v1/files HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(40_000);
const length = `Content-Length: ${smuggled.length}`;
const chunked = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`;

describe('a body of more than a megabyte leaves with its length or in chunks', () => {
  test.each([
    ['GET in chunks', 'GET', 'Transfer-Encoding: chunked', chunked],
    ['OPTIONS in chunks', 'OPTIONS', 'Transfer-Encoding: chunked', chunked],
    ['POST in chunks', 'POST', 'Transfer-Encoding: chunked', chunked],
    ['GET with a length', 'GET', length, smuggled],
    ['GET of an odd connection', 'GET', `${length}\r\nConnection: close, content-length`, smuggled],
  ])('%s', async (_, method, header, body) => {
    const upstream = await startBytes(ok, /(?:0|Host: x)\r\n\r\n$/);
    const proxy = await startOne({ upstream: upstream.url });
    const connection = header.includes('close') ? '' : 'Connection: close\r\n';
    const sent = `${method} /v1/files HTTP/1.1\r\nHost: 127.0.0.1\r\n${connection}${header}\r\n\r\n`;
    expect(await sendRaw(proxy.url, `${sent}${body}`)).toMatch(/^HTTP\/1\.1 200 /);
    const [head = ''] = (upstream.seen[0] ?? '').split('\r\n\r\n');
    const isChunked = /\r\ntransfer-encoding: chunked(?:\r\n|$)/i.test(head);
    const length = /\r\ncontent-length: (\d+)(?:\r\n|$)/i.exec(head)?.[1];
    expect([isChunked, length]).toEqual(
      header.startsWith('Content') ? [false, String(smuggled.length)] : [true, undefined],
    );
  });
});

const hello = '{"model":"gpt-5","messages":[{"role":"user","content":"hello"}]}';

describe('a request that servers read in different ways is refused', () => {
  const chunks = `${hello.length.toString(16)}\r\n${hello}\r\n0\r\n\r\n`;
  const length = `Content-Length: ${hello.length}`;
  test.each<[string, string[], string, number]>([
    ['two hosts', ['Host: evil.example', length], hello, 400],
    ['a host twice', ['HOST: 127.0.0.1', length], hello, 400],
    ['gzip, chunked', ['Transfer-Encoding: gzip, chunked'], chunks, 501],
    ['chunked, chunked', ['Transfer-Encoding: chunked, chunked'], chunks, 501],
  ])('%s', async (_, headers, body, status) => {
    const { proxy, received } = await setUp(answers);
    const asked = rawRequest('POST /v1/chat/completions', ['Host: 127.0.0.1', ...headers], body);
    expect(await sendRaw(proxy.url, asked)).toMatch(new RegExp(`^HTTP/1\\.1 (?:${status}|400) `));
    expect(received).toEqual([]);
  });
});

describe('a client that closes its side', () => {
  const headers = ['Host: 127.0.0.1', `Content-Length: ${hello.length}`];
  const bytes = rawRequest('POST /v1/chat/completions', headers, hello);

  test('and listens gets its answer', async () => {
    const { proxy } = await setUp(answers);
    const socket = connect({ port: Number(new URL(proxy.url).port), host: '127.0.0.1', allowHalfOpen: true });
    socket.end(bytes);
    let text = '';
    for await (const piece of socket) text += piece;
    expect(text).toMatch(/HTTP\/1\.1 200 [\s\S]*"content":"ok"/);
  });

  test('and is gone ends the request to the upstream', async () => {
    let socket: Socket | undefined;
    const ended = new Promise<void>((resolve) => {
      void setUp((response) => {
        response.once('close', resolve);
        socket?.destroy();
      }).then(({ proxy }) => {
        socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
        socket.write(bytes);
      });
    });
    await ended;
  });
});

describe('an upstream that answers', () => {
  test.each([
    [
      'with another protocol',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
    ],
    ['what is no HTTP', 'SSH-2.0-OpenSSH_9\r\n'],
  ])('%s is a bad gateway', async (_, answer) => {
    const upstream = await startBytes(answer, /\r\n\r\n$|hello"\}\]\}$/);
    const proxy = await startOne({ upstream: upstream.url });
    expect((await fetch(`${proxy.url}/v1/models`)).status).toBe(502);
    const messages = [{ role: 'user', content: 'hello' }];
    const response = await proxy.post({ model: 'gpt-5', messages });
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({ error: { code: 'upstream_unreachable' } });
  });

  test('101 and then closes is a bad gateway', async () => {
    const upstream = await startBytes('HTTP/1.1 101 Go\r\n\r\n', /\r\n\r\n$/);
    const proxy = await startOne({ upstream: upstream.url });
    expect((await fetch(`${proxy.url}/v1/models`, { method: 'DELETE' })).status).toBe(502);
  });
});
