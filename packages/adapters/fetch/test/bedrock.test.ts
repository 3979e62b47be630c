import type { ContextManager } from '@ctx/core';
import { type ModelServerOptions, startBedrockServer } from '@ctx/servers';
import fc from 'fast-check';
import { awsEvents } from '../src/answer-frames.js';
import { AnswerReader } from '../src/answer-reader.js';
import { type ContextFetchOptions, contextBedrock } from '../src/index.js';
import { closedAfter } from './server.js';
import { longHistory, watchedFetch } from './watched-fetch.js';

const model = 'us.anthropic.claude-sonnet-4-5-20250929-v1%3A0';
const history = (turns: number) =>
  longHistory(turns)
    .slice(1)
    .map(({ role, content }) => ({ role, content: [{ text: content }] }));
const request = (turns: number) => {
  return { system: [{ text: 'Be brief.' }], messages: history(turns), inferenceConfig: { maxTokens: 100 } };
};

async function setUp(options: ModelServerOptions = {}, own?: ContextFetchOptions) {
  const server = await closedAfter(startBedrockServer(options));
  const { send, ...watched } = watchedFetch(own);
  const post = (body: object, end: string) => {
    const init = { method: 'POST', headers: { authorization: 'Bearer key' }, body: JSON.stringify(body) };
    return send(`${server.url}/model/${model}/${end}`, init);
  };
  return { server, ...watched, post };
}

describe('Converse with an API key through contextFetch', () => {
  test.each(['converse', 'converse-stream'])(
    '%s is kept inside the window, and its usage is read',
    async (end) => {
      const { server, managers, warnings, post } = await setUp({ chunkBytes: 5 });
      await (await post(request(60), end)).arrayBuffer();
      const [{ tokens = 0, json } = {}] = server.requests;
      const { messages: _, ...rest } = request(60);
      expect(json).toMatchObject({ ...rest, messages: { length: expect.any(Number) } });
      expect(tokens).toBeLessThan(4_000);
      expect(managers.map((one) => one.stats().currentTokens)).toEqual([tokens]);
      expect([server.problems, warnings]).toEqual([[], []]);
    },
  );
});

/** The usages that a reader finds in the pieces of an answer. */
function told(pieces: readonly Uint8Array[]) {
  const usages: unknown[] = [];
  const reader = new AnswerReader({ usage: (usage) => usages.push(usage), overflow: () => {} }, awsEvents);
  for (const piece of pieces) reader.piece(piece);
  reader.end();
  return usages;
}

test('an event stream is read the same in whatever pieces it comes', async () => {
  const { server, post } = await setUp();
  const bytes = new Uint8Array(await (await post(request(1), 'converse-stream')).arrayBuffer());
  const whole = told([bytes]);
  expect(whole).toEqual([{ inputTokens: server.requests[0]?.tokens, cachedTokens: 0 }]);
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: 20 }), (cuts) => {
      const places = [0, ...cuts.sort((one, other) => one - other), bytes.length];
      const pieces = places.slice(1).map((end, at) => bytes.subarray(places[at], end));
      expect(told(pieces)).toEqual(whole);
    }),
  );
});

test('bytes that are not an event stream say nothing, and hold nothing back', () => {
  fc.assert(fc.property(fc.uint8Array({ minLength: 12 }), (bytes) => expect(told([bytes])).toEqual([])));
});

/** What the AWS SDK does with a plugin, without the SDK. */
function clientWith(options: Parameters<typeof contextBedrock>[0], answers: readonly (object | Error)[]) {
  const sent: { messages: unknown[] }[] = [];
  type Middleware = Parameters<Parameters<ReturnType<typeof contextBedrock>['applyToStack']>[0]['add']>[0];
  const stack: Middleware[] = [];
  contextBedrock(options).applyToStack({ add: (middleware) => void stack.push(middleware) });
  const next: Parameters<Middleware>[0] = async ({ request: made }) => {
    sent.push(JSON.parse((made as { body: string }).body));
    const answer = answers[sent.length - 1] ?? {};
    if (answer instanceof Error) throw answer;
    return { response: {}, output: answer };
  };
  class HttpRequest {}
  const send = (body: object, path = `/model/${model}/converse`) => {
    const fields = { protocol: 'https:', hostname: 'bedrock', path, method: 'POST', headers: {} };
    const made = Object.assign(new HttpRequest(), { ...fields, body: JSON.stringify(body) });
    return stack[0]?.(next)({ input: body, request: made });
  };
  return { sent, send };
}

const tooLong = () =>
  Object.assign(new Error('Input is too long for requested model.'), { name: 'ValidationException' });

describe('contextBedrock', () => {
  const options = { config: { contextWindow: 4_000 }, onWarning: () => {} };

  test('an error of another kind reaches the caller, and so does an overflow that stays', async () => {
    const failed = clientWith(options, [new Error('The security token is invalid')]);
    await expect(failed.send(request(2))).rejects.toThrow('The security token is invalid');
    expect(failed.sent).toHaveLength(1);
    const refused = clientWith(options, Array.from({ length: 9 }, tooLong));
    await expect(refused.send(request(20))).rejects.toThrow('Input is too long');
    expect([2, 3, 4]).toContain(refused.sent.length);
  });

  test('a stream passes event by event, and ends where the caller ends it', async () => {
    let ended = 0;
    async function* events() {
      try {
        yield { messageStart: { role: 'assistant' } };
        yield { metadata: { usage: { inputTokens: 900, outputTokens: 1 } } };
      } finally {
        ended += 1;
      }
    }
    const managers: ContextManager[] = [];
    const onManager = (manager: ContextManager) => managers.push(manager);
    const { send } = clientWith({ ...options, onManager }, [{ stream: events() }, { stream: events() }]);
    const streamOf = async () => (await send(request(2)))?.output as { stream: AsyncIterable<object> };
    for await (const _ of (await streamOf()).stream) break;
    expect([ended, managers[0]?.stats().currentTokens === 900]).toEqual([1, false]);
    const seen: object[] = [];
    for await (const event of (await streamOf()).stream) seen.push(event);
    expect(seen).toHaveLength(2);
    expect([ended, managers[0]?.stats().currentTokens]).toEqual([2, 900]);
  });

  test('options that can not work are refused at once', () => {
    expect(() => contextBedrock({ contextWindow: 1 } as never)).toThrow(/config: \{ contextWindow/);
  });
});
