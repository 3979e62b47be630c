import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { agentScript, type ModelServer, type ModelServerOptions, type ReceivedRequest } from '@ctx/servers';
import fc from 'fast-check';
import { apis, streamed } from './apis.js';
import { answerTo, headers, type Json, post } from './post.js';

type Name = keyof typeof apis;
const names = Object.keys(apis) as Name[];
/** How each API says that a request is too long. */
const tooLong = /maximum context length|exceeds the context window|prompt is too long|token count .* exceeds/;

const tools = [{ type: 'function', function: { name: 'read_file' } }];
const chat = { model: 'gpt-5', tools, messages: [{ role: 'user', content: 'Look.' }] };

/** Runs with a server that is closed in the end. */
async function withServer<T>(
  name: Name,
  options: ModelServerOptions,
  run: (server: ModelServer) => Promise<T>,
): Promise<T> {
  const server = await apis[name].start(options);
  try {
    return await run(server);
  } finally {
    await server.close();
  }
}

const bodyOf = (name: Name, text = 'Look.') => apis[name].body([apis[name].user(text)]);
const stream = (name: Name, server: ModelServer) =>
  post(server, apis[name].streamPath, streamed(apis[name], bodyOf(name)), apis[name].headers);

describe.each(names)('%s', (name) => {
  test('a stream is the same in pieces of any size, and one byte at a time', async () => {
    const whole = await withServer(name, {}, async (server) => (await stream(name, server)).text());
    expect(Buffer.byteLength(whole)).toBeGreaterThan(whole.length);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40 }), async (chunkBytes) => {
        const text = await withServer(name, { chunkBytes }, async (server) =>
          (await stream(name, server)).text(),
        );
        expect(text).toBe(whole);
      }),
      { numRuns: 5, examples: [[1]] },
    );
  });

  test('a compressed answer is the same', async () => {
    const whole = await withServer(name, {}, async (server) => (await stream(name, server)).text());
    await withServer(name, { compress: true, chunkBytes: 9 }, async (server) => {
      const response = await stream(name, server);
      expect(response.headers.get('content-encoding')).toBe('gzip');
      expect(await response.text()).toBe(whole);
    });
  });

  test('a compressed request is read, and kept as it came', () =>
    withServer(name, {}, async (server) => {
      const { path, headers: own } = apis[name];
      const body = bodyOf(name);
      const raw = gzipSync(JSON.stringify(body));
      const sent = { ...own, 'content-type': 'application/json', 'content-encoding': 'gzip' };
      const response = await fetch(`${server.url}${path}`, { method: 'POST', headers: sent, body: raw });
      expect(response.status).toBe(200);
      const [received] = server.requests as [ReceivedRequest];
      expect(received.raw.equals(raw)).toBe(true);
      expect(received.json).toEqual(body);
      expect(received).toMatchObject({ number: 1, outcome: 'accepted', path });
    }));

  test('faults come at their request, in the provider’s words', () =>
    withServer(
      name,
      {
        faults: {
          1: { type: 'status', status: 429 },
          2: { type: 'status', status: 500 },
          3: { type: 'html' },
        },
      },
      async (server) => {
        const ask = () => post(server, apis[name].path, bodyOf(name), apis[name].headers);
        const limited = await ask();
        expect(limited.status).toBe(429);
        expect(JSON.stringify(await limited.json())).toMatch(/rate limit|quota/i);
        const broken = await ask();
        expect(broken.status).toBe(500);
        expect(((await broken.json()) as Json).error.message).toEqual(expect.any(String));
        const page = await ask();
        expect([page.status, (await page.text()).slice(0, 9)]).toEqual([502, '<!DOCTYPE']);
        expect((await ask()).status).toBe(200);
        const outcomes = server.requests.map(({ outcome }) => outcome);
        expect(outcomes).toEqual(['fault', 'fault', 'fault', 'accepted']);
        expect(server.refused).toBe(0);
      },
    ));

  test('a connection breaks after the bytes that are said', () =>
    withServer(
      name,
      { faults: { 1: { type: 'drop', afterBytes: 30 }, 2: { type: 'drop' } } },
      async (server) => {
        const half = await stream(name, server);
        await expect(half.text()).rejects.toThrow();
        await expect(stream(name, server)).rejects.toThrow();
        expect((await stream(name, server)).status).toBe(200);
      },
    ));

  test('a stalled answer begins and does not end until the server closes', () =>
    withServer(name, { faults: { 1: { type: 'stall', afterBytes: 30 } } }, async (server) => {
      const { streamPath: path, headers: own } = apis[name];
      const received: Buffer[] = [];
      const ended = new Promise<string>((resolve) => {
        const { hostname, port } = new URL(server.url);
        const request = httpRequest(
          { hostname, port, path, method: 'POST', headers: { ...own } },
          (response) => {
            response.on('data', (chunk: Buffer) => {
              received.push(chunk);
              // What is to come has come; only the server's end can end it now.
              void server.close();
            });
            response.on('error', () => resolve('broken'));
            response.on('end', () => resolve('ended'));
          },
        );
        request.end(JSON.stringify(streamed(apis[name], bodyOf(name))));
      });
      expect(await ended).toBe('broken');
      expect(Buffer.concat(received)).toHaveLength(30);
    }));

  test('a request larger than the window, or said to be, overflows in words that are known', () =>
    withServer(name, { window: 60, overflowAt: [2] }, async (server) => {
      const { path, headers: own } = apis[name];
      for (const text of ['Look at it. '.repeat(40), 'Look.']) {
        const { status, json } = await answerTo(server, path, bodyOf(name, text), own);
        expect([status, json.error.message]).toEqual([400, expect.stringMatching(tooLong)]);
      }
      expect((await post(server, path, bodyOf(name), own)).status).toBe(200);
      expect(server).toMatchObject({ overflowed: 2, refused: 2, invalid: 0, accepted: 1 });
    }));

  test('an overflow in the stream comes after status 200', () =>
    withServer(name, { overflowAt: [1], overflowBy: 'stream' }, async (server) => {
      const response = await stream(name, server);
      expect(response.status).toBe(200);
      expect(await response.text()).toMatch(tooLong);
      expect(server.overflowed).toBe(1);
    }));
});

test('what began an earlier request counts as cached', () =>
  withServer('chat', {}, async (server) => {
    await answerTo(server, '/v1/chat/completions', chat, headers.openai);
    const first = server.requests[0]?.tokens;
    expect(server.requests[0]).toMatchObject({ cached: 0 });
    const twice = { ...chat, messages: [...chat.messages, ...chat.messages] };
    await answerTo(server, '/v1/chat/completions', twice, headers.openai);
    expect(server.requests[1]).toMatchObject({ cached: first });
    expect(server.requests[1]?.tokens).toBeGreaterThan(first as number);
  }));

test('a script goes on from the newest round, also where earlier rounds have left the request', async () => {
  await withServer('chat', { script: agentScript() }, async (server) => {
    const [prompt] = chat.messages;
    let newest: Json[] = [];
    const said: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      const body = { ...chat, messages: [prompt, ...newest] };
      const { message } = (await answerTo(server, '/v1/chat/completions', body, headers.openai)).json
        .choices[0];
      said.push(message.content);
      const results = (message.tool_calls ?? []).map(({ id }: Json) => ({
        role: 'tool',
        tool_call_id: id,
        content: 'Found.',
      }));
      newest = [message, ...results];
    }
    expect(said).toEqual(['Schaue nach … (1)', 'Schaue nach … (2)', 'Schaue nach … (3)', 'Done – Look. ✓']);
  });
});
