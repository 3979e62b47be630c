import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { answers, longHistory, rawRequest, request, sendRaw, setUp } from './upstream.js';

const stream = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' });
/** Enough for a piece to come through, if one is on its way. */
const turns = async () => {
  for (let turn = 0; turn < 500; turn += 1) await new Promise(setImmediate);
};
/** A promise, and what keeps it. */
function promised() {
  let keep = () => {};
  const promise = new Promise<void>((resolve) => {
    keep = resolve;
  });
  return { promise, keep };
}
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
    const closed = promised();
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
        closed.keep();
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
    await closed.promise;
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

  test('an upstream that never answers is left when the client leaves', async () => {
    const left = promised();
    const gone = new AbortController();
    const { proxy } = await setUp((response) => {
      response.on('close', left.keep);
      gone.abort();
    });
    await expect(proxy.post(body, { path, signal: gone.signal })).rejects.toThrow(/abort/i);
    await left.promise;
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
  const host = 'Host: localhost';
  const closing = [host, 'Connection: close'];
  const posted = (body: string, ...headers: string[]) =>
    rawRequest('POST /v1/messages', [host, ...headers], body);
  test.each([
    ['two lengths', posted('abcd', 'Content-Length: 3', 'Content-Length: 4'), 400],
    ['a length and chunks', posted('0\r\n\r\n', 'Content-Length: 3', 'Transfer-Encoding: chunked'), 400],
    ['a space before the colon', rawRequest('GET /v1/models', ['Host : x']), 400],
    ['a bare line feed in a header', rawRequest('GET /v1/models', [host, 'A: b\nGET /evil HTTP/1.1']), 400],
    ['an address of another host', rawRequest('GET http://127.0.0.1:9/evil', closing), 400],
    ['no path', rawRequest('OPTIONS *', closing), 400],
    ['headers of 100 kB', rawRequest('GET /v1/models', [host, `A: ${'x'.repeat(100_000)}`]), 431],
    ['no HTTP', 'hello\r\n\r\n', 400],
  ])('%s is refused', async (_, bytes, status) => {
    const { proxy, received } = await setUp(answers);
    expect(await sendRaw(proxy.url, bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(received).toHaveLength(0);
    expect((await proxy.post(request(longHistory(1)))).status).toBe(200);
  });

  test('a tunnel is not opened', async () => {
    const { proxy, received } = await setUp(answers);
    const answered = await sendRaw(proxy.url, rawRequest('CONNECT 127.0.0.1:9', [host]));
    expect(answered).not.toMatch(/ 200 /);
    expect(received).toHaveLength(0);
  });

  test('a path with two slashes stays with the upstream', async () => {
    const { proxy, received } = await setUp(answers);
    await sendRaw(proxy.url, rawRequest('GET //127.0.0.1:9/evil', closing));
    expect(received[0]?.path).toBe('//127.0.0.1:9/evil');
  });

  test('a client that breaks off in the middle of its body is forgotten', async () => {
    const { proxy, received } = await setUp(answers);
    const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(rawRequest('POST /v1/chat/completions', [host, 'Content-Length: 100'], '{'));
    socket.destroy();
    expect((await proxy.post(request(longHistory(1)))).status).toBe(200);
    expect(received).toHaveLength(1);
  });
});
