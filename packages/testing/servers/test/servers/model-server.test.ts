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
const ask = (name: Name, server: ModelServer, text?: string) =>
  post(server, apis[name].path, bodyOf(name, text), apis[name].headers);
const stream = (name: Name, server: ModelServer) =>
  post(server, apis[name].streamPath, streamed(apis[name], bodyOf(name)), apis[name].headers);
const streamOf = (name: Name, options: ModelServerOptions = {}) =>
  withServer(name, options, async (server) => {
    const response = await stream(name, server);
    return { encoding: response.headers.get('content-encoding'), text: await response.text() };
  });

describe.each(names)('%s', (name) => {
  test('a stream is the same in pieces of any size, one byte at a time, and compressed', async () => {
    const whole = await streamOf(name);
    expect(Buffer.byteLength(whole.text)).toBeGreaterThan(whole.text.length);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40 }), fc.boolean(), async (chunkBytes, compress) => {
        const { encoding, text } = await streamOf(name, { chunkBytes, compress });
        expect([encoding, text]).toEqual([compress ? 'gzip' : null, whole.text]);
      }),
      { numRuns: 5, examples: [[1, false]] },
    );
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
      expect(received).toMatchObject({ number: 1, outcome: 'accepted', path, json: body });
    }));

  const faults = {
    1: { type: 'status', status: 429 },
    2: { type: 'html' },
    3: { type: 'drop', afterBytes: 30 },
    4: { type: 'drop' },
  } as const;
  test('faults come at their request, in the provider’s words, or break the connection', () =>
    withServer(name, { faults }, async (server) => {
      const limited = await ask(name, server);
      expect([limited.status, await limited.text()]).toEqual([
        429,
        expect.stringMatching(/rate limit|quota/i),
      ]);
      const page = await ask(name, server);
      expect([page.status, (await page.text()).slice(0, 9)]).toEqual([502, '<!DOCTYPE']);
      await expect((await stream(name, server)).text()).rejects.toThrow();
      await expect(stream(name, server)).rejects.toThrow();
      expect((await stream(name, server)).status).toBe(200);
      const outcomes = server.requests.map(({ outcome }) => outcome);
      expect(outcomes).toEqual(['fault', 'fault', 'fault', 'fault', 'accepted']);
      expect(server.refused).toBe(0);
    }));

  test('a stalled answer begins and does not end until the server closes', () =>
    withServer(name, { faults: { 1: { type: 'stall', afterBytes: 30 } } }, async (server) => {
      const reader = (await stream(name, server)).body?.getReader();
      expect((await reader?.read())?.value).toHaveLength(30);
      const next = reader?.read();
      void server.close();
      await expect(next).rejects.toThrow();
    }));

  test('a request larger than the window, or said to be, overflows in words that are known', () =>
    withServer(name, { window: 60, overflowAt: [2, 4], overflowBy: 'stream' }, async (server) => {
      for (const text of ['Look at it. '.repeat(40), 'Look.']) {
        const response = await ask(name, server, text);
        expect([response.status, await response.text()]).toEqual([400, expect.stringMatching(tooLong)]);
      }
      expect((await ask(name, server)).status).toBe(200);
      const told = await stream(name, server);
      expect([told.status, await told.text()]).toEqual([200, expect.stringMatching(tooLong)]);
      expect(server).toMatchObject({ overflowed: 3, refused: 3, invalid: 0, accepted: 1 });
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
