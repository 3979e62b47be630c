import { memoryArchive } from '@ctx/archive';
import { memoryStateStore, type Warning } from '@ctx/conversation';
import { ConfigError } from '@ctx/core';
import { type ModelServerOptions, startAnthropicServer } from '@ctx/servers';
import { words } from '@ctx/testing';
import { type ContextFetchOptions, contextFetch } from '../src/index.js';
import { closedAfter } from './server.js';
import { codesOf, watchedFetch } from './watched-fetch.js';

// biome-ignore lint/suspicious/noExplicitAny: what a test sends and gets is JSON of any form
type Json = any;

const headers = {
  'content-type': 'application/json',
  'anthropic-version': '2023-06-01',
  'x-api-key': 'sk-ann',
};
const claude = { model: 'claude-sonnet-5-5', max_tokens: 100 };
const user = (count: number, word: string) => ({ role: 'user', content: words(count, word) });

/** A server, and clients with a `contextFetch` each. */
async function setUp(options: ModelServerOptions = {}) {
  const server = await closedAfter(startAnthropicServer(options));
  const warnings: Warning[] = [];
  const onWarning = (warning: Warning) => warnings.push(warning);
  const clientOf = (own: ContextFetchOptions = {}) => {
    const { send } = watchedFetch({ threads: 'replay', onWarning, ...own });
    return async (body: object, key = 'sk-ann'): Promise<Json> => {
      const init = { method: 'POST', headers: { ...headers, 'x-api-key': key } };
      const response = await send(`${server.url}/v1/messages`, { ...init, body: JSON.stringify(body) });
      return response.json();
    };
  };
  /** What the server got last. */
  const sent = (): Json => server.requests.at(-1)?.json;
  return { server, warnings, clientOf, sent };
}

const create = (...messages: object[]) => {
  return { ...claude, system: 'Be brief.', thread: { type: 'create' }, messages };
};
const next = (id: string, ...messages: object[]) => {
  return { ...claude, thread: { type: 'continue', previous_message_id: id }, messages };
};

test('a thread that fits is continued by what the client sends, byte for byte', async () => {
  const { server, warnings, clientOf, sent } = await setUp();
  const post = clientOf();
  const { id } = await post(create(user(100, 'first')));
  const continued = next(id, user(100, 'second'));
  await post(continued);
  expect(server.requests.at(-1)?.body.toString()).toBe(JSON.stringify(continued));
  expect([sent(), server.problems, warnings]).toEqual([continued, [], []]);
});

test('one that outgrows its target goes on in a new thread, with all that was said', async () => {
  const { server, warnings, clientOf, sent } = await setUp({ window: 4_000 });
  const post = clientOf();
  const texts = Array.from({ length: 12 }, (_, at) => user(250, `turn${at}_`));
  let { id } = await post(create(texts[0] as object));
  for (const text of texts.slice(1)) {
    ({ id } = await post(next(id, text)));
    expect(JSON.stringify(sent().messages)).toContain(text.content);
  }
  const threads = server.requests.map(({ json }) => (json as Json).thread.type);
  const at = threads.indexOf('create', 1);
  expect(at).toBeGreaterThan(3);
  const replayed = server.requests[at]?.json as Json;
  expect(replayed).toMatchObject({ system: 'Be brief.', thread: { type: 'create' } });
  expect(JSON.stringify(replayed.messages)).toContain('turn0_');
  expect(threads[at + 1]).toBe('continue');
  expect([server.problems, warnings]).toEqual([[], []]);
});

test('a continuation that the provider refuses as too large is sent whole and smaller', async () => {
  const { server, clientOf, sent } = await setUp({ overflowAt: [3] });
  const post = clientOf({ config: { contextWindow: 100_000 }, onWarning: () => {} });
  let { id } = await post(create(user(1_000, 'first')));
  ({ id } = await post(next(id, user(10, 'second'))));
  ({ id } = await post(next(id, user(10, 'third'))));
  expect(sent().thread.type).toBe('create');
  await post(next(id, user(10, 'fourth')));
  expect([server.overflowed, server.invalid, sent().messages]).toEqual([1, 0, [user(10, 'fourth')]]);
});

test('markers for the cache are left out of what was answered', async () => {
  const { server, clientOf, sent } = await setUp({ window: 4_000 });
  const post = clientOf();
  const cache_control = { type: 'ephemeral' };
  const marked = (at: number) => ({
    role: 'user',
    content: [{ type: 'text', text: words(250, `turn${at}_`), cache_control }],
  });
  let { id } = await post(create(marked(0)));
  for (let at = 1; at < 12; at += 1) {
    ({ id } = await post(next(id, marked(at))));
    if (sent().thread.type === 'create')
      expect(JSON.stringify(sent()).split('cache_control')).toHaveLength(2);
  }
  expect(server.problems).toEqual([]);
});

test('a store keeps what was said beyond a restart', async () => {
  const { server, warnings, clientOf } = await setUp({ window: 4_000 });
  const states = memoryStateStore();
  let { id } = await clientOf({ states })(create(user(250, 'turn0_')));
  for (let at = 1; at < 12; at += 1) ({ id } = await clientOf({ states })(next(id, user(250, `turn${at}_`))));
  expect(
    server.requests.filter(({ json }) => (json as Json).thread.type === 'create').length,
  ).toBeGreaterThan(1);
  expect([server.problems, warnings]).toEqual([[], []]);
});

describe('a thread that began elsewhere', () => {
  test('passes, and the client is to send everything when the provider refuses it as too large', async () => {
    const { server, warnings, clientOf, sent } = await setUp({ window: 3_000 });
    const messages: object[] = [user(500, 'first')];
    const answer = await clientOf()(create(...messages));
    messages.push({ role: 'assistant', content: answer.content });
    const post = clientOf({ config: { contextWindow: 2_000 } });
    const continued = next(answer.id, user(100, 'second'));
    const { id, content } = await post(continued);
    expect(sent()).toEqual(continued);
    messages.push(...continued.messages, { role: 'assistant', content }, user(1_500, 'third'));
    const { error } = await post(next(id, ...messages.slice(-1)));
    expect(error).toMatchObject({ type: 'not_found_error', details: { error_code: 'thread_not_found' } });
    expect(await post(create(...messages))).toMatchObject({ stop_reason: 'end_turn' });
    expect(warnings[0]?.code).toBe('thread-unknown');
    expect([server.overflowed, server.invalid]).toEqual([1, 0]);
  });

  test('with an id of somebody else’s is not filled with what they said', async () => {
    const { clientOf, sent } = await setUp();
    const post = clientOf();
    const { id } = await post(create(user(1_000, 'secret')));
    await post(next(id, user(1_500, 'x')), 'sk-eve');
    expect(sent().messages).toEqual([user(1_500, 'x')]);
  });
});

test('an answer that breaks off is not gone on with', async () => {
  const { warnings, clientOf, sent } = await setUp({ faults: { 1: { type: 'drop', afterBytes: 100 } } });
  const post = clientOf();
  await expect(post({ ...create(user(10, 'first')), stream: true })).rejects.toThrow();
  await post(next(`msg_${'1'.padStart(24, '0')}`, user(10, 'second')));
  expect(sent().messages).toEqual([user(10, 'second')]);
  expect(codesOf(warnings)).toEqual(['thread-unknown']);
});

test('if the store fails, threads go on in memory, with a warning', async () => {
  const { warnings, clientOf, sent } = await setUp();
  const fail = () => Promise.reject(new Error('disk full'));
  const post = clientOf({ states: { get: fail, put: fail } });
  const { id } = await post(create(user(10, 'first')));
  await post(next(id, user(10, 'second')));
  expect(sent().messages).toHaveLength(1);
  expect(new Set(codesOf(warnings))).toEqual(new Set(['store-failed']));
});

test('there are no other ways than to pass and to replay', () => {
  expect(() => contextFetch({ threads: 'on' as never })).toThrow(ConfigError);
  const hiddenTool = { name: 'recall', description: '', parameters: {}, run: async () => '' };
  const config = { arrivals: { over: 1_000, to: 300 } };
  const archive = memoryArchive();
  expect(() => contextFetch({ threads: 'replay', hiddenTool, config, archive })).toThrow(
    'in threads there is no recall',
  );
});

test.each<[string, readonly string[]]>([
  ['one id', ['same', 'same', 'same', 'same']],
  ['two ids in turn', ['odd', 'even', 'odd', 'even']],
])(
  'a gateway that gives all its answers %s gets what it can know, and nothing waits for ever',
  async (_, ids) => {
    const sent: Json[] = [];
    const warnings: string[] = [];
    const send = async (_input: unknown, init?: RequestInit) => {
      const id = ids[sent.length];
      sent.push(JSON.parse(String(init?.body)));
      const content = [{ type: 'text', text: 'yes' }];
      return Response.json({ type: 'message', role: 'assistant', id, content });
    };
    const post = contextFetch({ threads: 'replay', send, onWarning: ({ code }) => warnings.push(code) });
    const bodies = [create(user(10, 'first')), ...ids.slice(0, 3).map((id) => next(id, user(10, 'more')))];
    for (const body of bodies) {
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      await (await post('http://localhost/v1/messages', init)).text();
    }
    expect(sent).toEqual(bodies);
    expect(warnings.filter((code) => code !== 'thread-unknown')).toEqual([]);
  },
);
