import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { words } from '@ctx/testing';
import { type ProxyOptions, startProxy } from '../src/index.js';

interface Received {
  readonly method: string;
  readonly path: string;
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export type Reply = (response: ServerResponse, received: Received, number: number) => void;

const closing: (() => Promise<unknown>)[] = [];

/** Closes what the test has started. */
export async function closeAll(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}
afterEach(closeAll);

/** An upstream on loopback that notes what it gets and replies as it is told. */
export async function startUpstream(reply: Reply) {
  const received: Received[] = [];
  const server = createServer({ maxHeaderSize: 1 << 20 }, (request, response) => {
    const pieces: Buffer[] = [];
    response.on('error', () => {});
    request.on('error', () => {});
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { method = '', url: path = '', rawHeaders, headers } = request;
      const one = { method, path, rawHeaders, headers, body: Buffer.concat(pieces) };
      received.push(one);
      reply(response, one, received.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, server };
}

/** A proxy before an upstream that replies as it is told. */
export async function setUp(reply: Reply, options: ProxyOptions = {}) {
  const upstream = await startUpstream(reply);
  const proxy = await startOne({ upstream: upstream.url, ...options });
  return { ...upstream, proxy };
}

export async function startOne(options: ProxyOptions) {
  const proxy = await startProxy({
    port: 0,
    config: { contextWindow: 4_000 },
    onWarning: () => {},
    ...options,
  });
  let isClosed = false;
  const close = async (patience?: number) => {
    if (!isClosed) await proxy.close(patience);
    isClosed = true;
  };
  closing.push(() => close());
  const post = (body: unknown, { path = '/v1/chat/completions', headers = {}, signal }: Sent = {}) =>
    fetch(`${proxy.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer key-of-ann', ...headers },
      body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
      signal: signal ?? null,
    });
  return { ...proxy, close, post };
}

interface Sent {
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

/** The bytes of a request that agents would not send: its first line, its headers, and its body. */
export const rawRequest = (line: string, headers: readonly string[], body = '') =>
  `${[`${line} HTTP/1.1`, ...headers].join('\r\n')}\r\n\r\n${body}`;

/** What comes back for bytes that no client would send. */
export function sendRaw(url: string, bytes: string): Promise<string> {
  const { port } = new URL(url);
  return new Promise((resolve) => {
    const socket: Socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.on('data', (piece) => {
      text += piece;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
    socket.setTimeout(5_000, () => socket.destroy());
  });
}

export const answer = {
  choices: [{ message: { role: 'assistant', content: 'ok' } }],
  usage: { prompt_tokens: 50 },
};

export const answers: Reply = (response) => json(response, answer);

export function json(response: ServerResponse, value: unknown, status = 200): void {
  const text = JSON.stringify(value);
  response.writeHead(status, { 'Content-Type': 'application/json', 'X-Request-Id': 'r1' });
  response.end(text);
}

export const tooLong = {
  error: { message: "This model's maximum context length is 2000 tokens.", code: 'context_length_exceeded' },
};

/** A history of the form of Chat Completions. */
export const longHistory = (turns: number, name = 'file') => [
  { role: 'system', content: 'Be brief.' },
  ...Array.from({ length: turns }, (_, turn) => [
    { role: 'user', content: `Look at ${name}${turn}.ts` },
    { role: 'assistant', content: words(60, `${name}${turn}`) },
  ]).flat(),
  { role: 'user', content: 'And now?' },
];

export const request = (messages: unknown) => ({ model: 'gpt-5', temperature: 1, messages });
