import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { answers, json, longHistory, type Reply, request, sendRaw, setUp, startOne } from './upstream.js';

const stream = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' });
/** Enough for a piece to come through, if one is on its way. */
const turns = async () => {
  for (let turn = 0; turn < 500; turn += 1) await new Promise(setImmediate);
};
const event = (text: string) => `data: {"choices":[{"delta":{"content":"${text}"}}]}\n\n`;
/** Paths of an endpoint that is read and of one that passes. */
const paths = ['/v1/chat/completions', '/v1/audio/speech'];

describe.each(paths)('%s', (path) => {
  const body = request(longHistory(2));

  test('each piece of a stream passes before the next one is there', async () => {
    let proceed = () => {};
    const { proxy } = await setUp((response) => {
      stream(response).write(event('one'));
      proceed = () => response.end(event('two'));
    });
    const reader = (await proxy.post(body, { path })).body?.getReader();
    const first = await reader?.read();
    expect(String(Buffer.from(first?.value ?? []))).toBe(event('one'));
    proceed();
    expect(String(Buffer.from((await reader?.read())?.value ?? []))).toBe(event('two'));
    expect((await reader?.read())?.done).toBe(true);
  });

  test('a stream that nobody reads is not read ahead, and a client that leaves ends it', async () => {
    let [written, isClosed] = [0, false];
    const closed = new Promise<void>((resolve) => {
      setUpClosed = resolve;
    });
    const { proxy } = await setUp((response) => {
      const piece = event('x'.repeat(60_000));
      const more = () => {
        while (written < 3_000 && !isClosed) {
          written += 1;
          if (!response.write(piece)) return void response.once('drain', more);
        }
      };
      response.on('close', () => {
        isClosed = true;
        setUpClosed();
      });
      stream(response);
      more();
    });
    const gone = new AbortController();
    const response = await proxy.post(body, { path, signal: gone.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    for (let before = -1; before < written; ) {
      before = written;
      await turns();
    }
    expect(written).toBeLessThan(1_000);
    gone.abort();
    await closed;
  });

  test('a stream that breaks off breaks off for the client', async () => {
    let cut = () => {};
    const { proxy } = await setUp((response) => {
      stream(response).write(event('one'));
      cut = () => response.destroy();
    });
    const response = await proxy.post(body, { path });
    cut();
    await expect(response.text()).rejects.toThrow();
  });

  test.each([429, 500, 529])('status %d passes with its headers', async (status) => {
    const { proxy, received } = await setUp((response) => {
      response.setHeader('Retry-After', '7');
      json(response, { error: { type: 'overloaded_error' } }, status);
    });
    const response = await proxy.post(body, { path });
    expect([response.status, response.headers.get('retry-after')]).toEqual([status, '7']);
    expect(await response.json()).toEqual({ error: { type: 'overloaded_error' } });
    expect(received).toHaveLength(1);
  });

  test('an upstream that never answers is left when the client leaves', async () => {
    const left = { now: () => {} };
    const closed = new Promise<void>((resolve) => {
      left.now = resolve;
    });
    const gone = new AbortController();
    const reply: Reply = (response) => {
      response.on('close', left.now);
      gone.abort();
    };
    const { proxy } = await setUp(reply);
    await expect(proxy.post(body, { path, signal: gone.signal })).rejects.toThrow(/abort/i);
    await closed;
  });

  test('an upstream that is not there is a clear error', async () => {
    const proxy = await startOne({ upstream: 'http://127.0.0.1:1' });
    const response = await proxy.post(body, { path });
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({ error: { code: 'upstream_unreachable' } });
  });

  test('an upstream that closes kept connections is asked again', async () => {
    const { proxy, server, received } = await setUp(answers);
    for (let time = 0; time < 3; time += 1) {
      await (await proxy.post(body, { path })).arrayBuffer();
      server.closeIdleConnections();
    }
    expect(received).toHaveLength(3);
  });
});

let setUpClosed = () => {};

test('redirects are the client’s: no request goes to a place that is not configured', async () => {
  const elsewhere = await setUp(answers);
  const { proxy } = await setUp(
    (response) => void response.writeHead(307, { location: elsewhere.url }).end(),
  );
  const response = await fetch(`${proxy.url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify(request(longHistory(1))),
    redirect: 'manual',
  });
  expect([response.status, response.headers.get('location')]).toEqual([307, elsewhere.url]);
  expect(elsewhere.received).toHaveLength(0);
});

describe('what no client should send', () => {
  test.each([
    [
      'two lengths',
      'POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd',
      400,
    ],
    [
      'a length and chunks',
      'POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a space before the colon', 'GET /v1/models HTTP/1.1\r\nHost : x\r\n\r\n', 400],
    [
      'a bare line feed in a header',
      'GET /v1/models HTTP/1.1\r\nHost: localhost\r\nA: b\nGET /evil HTTP/1.1\r\n\r\n',
      400,
    ],
    [
      'an address of another host',
      'GET http://127.0.0.1:9/evil HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      400,
    ],
    ['no path', 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 400],
    [
      'headers of 100 kB',
      `GET /v1/models HTTP/1.1\r\nHost: localhost\r\nA: ${'x'.repeat(100_000)}\r\n\r\n`,
      431,
    ],
    ['no HTTP', 'hello\r\n\r\n', 400],
  ])('%s is refused', async (_, bytes, status) => {
    const { proxy, received } = await setUp(answers);
    expect(await sendRaw(proxy.url, bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(received).toHaveLength(0);
    expect((await proxy.post(request(longHistory(1)))).status).toBe(200);
  });

  test('a tunnel is not opened', async () => {
    const { proxy, received } = await setUp(answers);
    const answered = await sendRaw(proxy.url, 'CONNECT 127.0.0.1:9 HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(answered).not.toMatch(/ 200 /);
    expect(received).toHaveLength(0);
  });

  test('a path with two slashes stays with the upstream', async () => {
    const { proxy, received } = await setUp(answers);
    await sendRaw(
      proxy.url,
      'GET //127.0.0.1:9/evil HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    );
    expect(received[0]?.path).toBe('//127.0.0.1:9/evil');
  });

  test('a client that breaks off in the middle of its body is forgotten', async () => {
    const { proxy, received } = await setUp(answers);
    const bytes = 'POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{';
    const { port } = new URL(proxy.url);
    const socket = (await import('node:net')).connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(bytes);
    socket.destroy();
    expect((await proxy.post(request(longHistory(1)))).status).toBe(200);
    expect(received).toHaveLength(1);
  });
});
