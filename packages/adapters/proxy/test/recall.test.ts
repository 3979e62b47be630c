import { mkdtempSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json, setUp, startOne, startUpstream } from './upstream.js';

type Message = Record<string, unknown>;
const tools = [{ type: 'function', function: { name: 'read', parameters: {} } }];
const user = (content: unknown) => ({ role: 'user', content });
const calling = (...names: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: names.map((name) => ({
    id: `call of ${name}`,
    type: 'function',
    function: { name, arguments: '{"query":"lost"}' },
  })),
});
const reply = (response: ServerResponse, message: Message) =>
  json(response, { choices: [{ index: 0, message, finish_reason: 'stop' }], usage: { prompt_tokens: 50 } });
const bodyOf = ({ body }: { readonly body: Buffer }) => JSON.parse(body.toString('utf8'));
const request = (messages: readonly unknown[], more = {}) => ({ model: 'gpt-5', messages, tools, ...more });
interface Body {
  readonly choices: readonly { readonly message: Message }[];
}
const bodyIn = async (response: Response) => (await response.json()) as Body;
const messageIn = async (response: Response) => (await bodyIn(response)).choices[0]?.message;

/** Calls recall in the first request, and says so afterwards. */
const recallsFirst = (response: ServerResponse, { body }: { readonly body: Buffer }) => {
  const last = bodyOf({ body }).messages.at(-1);
  reply(
    response,
    last.content === 'begin' ? calling('recall') : { role: 'assistant', content: `after ${last.role}` },
  );
};

test('what was recalled stays in its place, also for another process', async () => {
  const { url, received } = await startUpstream(recallsFirst);
  const store = `sqlite:${mkdtempSync(join(tmpdir(), 'ctx-recall-'))}/states.sqlite`;
  const one = await startOne({ upstream: url, store, recall: true });
  const first = await messageIn(await one.post(request([user('begin')])));
  expect(first).toEqual({ role: 'assistant', content: 'after tool' });
  await one.close();
  const two = await startOne({ upstream: url, store, recall: true });
  await two.post(request([user('begin'), first, user('go on')]));
  const [begun, continued, next] = received.map(bodyOf);
  expect(continued.messages.slice(0, 1)).toEqual(begun.messages);
  expect(next.messages.slice(0, 3)).toEqual(continued.messages);
  expect(next.messages.slice(3)).toEqual([first, user('go on')]);
  expect(next.tools).toEqual(begun.tools);
  const names = next.tools.map((one: { function: { name: string } }) => one.function.name);
  expect(names).toEqual(['read', 'recall']);
});

test('a conversation that has begun without it never gets it, and neither does one without tools', async () => {
  const { url, received } = await startUpstream(recallsFirst);
  const plain = await startOne({ upstream: url });
  const running = await startOne({ upstream: url, recall: true });
  await plain.post(request([user('begin')]));
  const history = [user('hello'), { role: 'assistant', content: 'hi' }, user('more')];
  for (let more = 0; more < 2; more += 1)
    await running.post(
      request([...history, { role: 'assistant', content: 'so' }, user('and')].slice(0, 3 + 2 * more)),
    );
  await running.post(request([user('title')], { tools: undefined }));
  for (const one of received)
    expect(bodyOf(one).tools).toEqual(bodyOf(one).messages[0].content === 'title' ? undefined : tools);
});

test('other credentials do not see what was recalled, and a history that says something else is not filled', async () => {
  const { url, received } = await startUpstream(recallsFirst);
  const proxy = await startOne({ upstream: url, recall: true });
  const first = await messageIn(await proxy.post(request([user('begin')])));
  await proxy.post(request([user('begin'), first, user('go on')]), {
    headers: { authorization: 'Bearer bob' },
  });
  await proxy.post(request([user('begin'), user('twice'), first, user('go on')]));
  for (const one of received.slice(2)) expect(JSON.stringify(bodyOf(one).messages)).not.toContain('recall');
});

const offers = ({ body }: { readonly body: Buffer }) =>
  bodyOf({ body }).tools.some((one: { function: { name: string } }) => one.function.name === 'recall');

test('a model that recalls for ever is told so, goes on without the tool and has it again in the next request', async () => {
  const soBeIt = { role: 'assistant', content: 'so be it' };
  const { proxy, received } = await setUp(
    (response, one) =>
      reply(response, offers(one) && one.body.includes('begin') ? calling('recall') : soBeIt),
    { recall: true },
  );
  const first = await messageIn(await proxy.post(request([user('begin')])));
  expect(first).toEqual(soBeIt);
  expect(received.map(offers)).toEqual([...Array(9).fill(true), false]);
  const said = bodyOf(received[9] as never).messages.map(({ content }: Message) => content);
  expect(said.at(-1)).toMatch(/no more/);
  expect(said.slice(0, -1).join()).not.toMatch(/no more/);
  await proxy.post(request([user('begin'), first, user('go on')]));
  expect(offers(received[10] as never)).toBe(true);
  expect(bodyOf(received[10] as never).messages.slice(0, 19)).toEqual(bodyOf(received[9] as never).messages);
});

test('a model that calls what it no longer has is stopped, and the agent gets an answer without calls', async () => {
  const { proxy, received } = await setUp((response) => reply(response, calling('recall')), { recall: true });
  const response = await proxy.post(request([user('begin')]));
  const { choices } = await bodyIn(response);
  expect(choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: null } });
  expect(choices[0]?.message.tool_calls).toBeUndefined();
  expect(received).toHaveLength(10);
});

test('a continuation that is refused arrives in the words of the provider', async () => {
  const { proxy } = await setUp(
    (response, { body }) =>
      bodyOf({ body }).messages.length > 1
        ? json(response, { error: 'no' }, 418)
        : reply(response, calling('recall')),
    { recall: true },
  );
  expect(await (await proxy.post(request([user('begin')]))).json()).toEqual({ error: 'no' });
});

test('a stream that can not be continued breaks off, and nothing else', async () => {
  const chunk = (delta: unknown, end: unknown = null) =>
    `data: ${JSON.stringify({ id: 'c1', choices: [{ index: 0, delta, finish_reason: end }] })}\n\n`;
  const { proxy } = await setUp(
    (response, { body }) => {
      if (bodyOf({ body }).messages.length > 1) return response.socket?.destroy();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk({ role: 'assistant', content: 'Let me see.' }));
      response.write(
        chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'recall', arguments: '{"que' } }] }),
      );
      response.write(chunk({ tool_calls: [{ index: 0, function: { arguments: 'ry":"x"}' } }] }));
      response.end(`${chunk({}, 'tool_calls')}data: [DONE]\n\n`);
    },
    { recall: true },
  );
  const response = await proxy.post(request([user('begin')], { stream: true }));
  let text = '';
  const all = async () => {
    for await (const piece of response.body as ReadableStream<Uint8Array>)
      text += new TextDecoder().decode(piece);
  };
  await expect(all()).rejects.toThrow();
  expect(text).toContain('Let me see.');
  expect(text).not.toMatch(/recall|DONE/);
  expect((await proxy.post(request([user('hello')], { stream: true }))).status).toBe(200);
});

/** Recalls if the newest message of the user says so, with its words as the query, and then says what `said` says. */
const forked = (said: (asked: string) => string) =>
  startUpstream((response: ServerResponse, { body }: { readonly body: Buffer }) => {
    const { messages } = bodyOf({ body });
    const last = messages.at(-1);
    const asked = String(messages.findLast((one: Message) => one.role === 'user').content);
    const call = { name: 'recall', arguments: JSON.stringify({ query: asked }) };
    const tool_calls = [{ id: `id of ${asked}`, type: 'function', function: call }];
    const recalls = last.role === 'user' && asked.includes('recall');
    reply(response, {
      role: 'assistant',
      ...(recalls ? { content: null, tool_calls } : { content: said(asked) }),
    });
  });

const recalledIn = (one: { readonly body: Buffer } | undefined) =>
  bodyOf(one as never).messages.flatMap(({ tool_calls: calls }: Message) =>
    Array.isArray(calls) ? calls.map(({ id }) => id) : [],
  );

test.each([
  ['different answers', (asked: string) => `done: ${asked}`],
  ['the same answer', () => 'Done.'],
])('two forks that get %s each keep what they recalled at the same place', async (_title, said) => {
  const { url, received } = await forked(said);
  const proxy = await startOne({ upstream: url, recall: true });
  const begun = [user('begin'), await messageIn(await proxy.post(request([user('begin')])))];
  const all = ['recall the cat', 'recall the dog', 'go on'];
  const forks = await Promise.all(
    all.map(async (asked) => {
      const fork = [...begun, user(asked)];
      return [...fork, await messageIn(await proxy.post(request(fork)))];
    }),
  );
  for (const [at, own] of [['id of recall the cat'], ['id of recall the dog'], []].entries()) {
    await proxy.post(request([...(forks[at] as Message[]), user('next')]));
    expect(recalledIn(received.at(-1))).toEqual(own);
  }
});

test('a reminder that the agent added for one request only does not lose what was recalled', async () => {
  const { url, received } = await forked(() => 'Done.');
  const proxy = await startOne({ upstream: url, recall: true });
  const begun = [user('begin'), await messageIn(await proxy.post(request([user('begin')])))];
  const reminded = 'recall it\n<system-reminder>Plan mode is active.</system-reminder>';
  const answer = await messageIn(await proxy.post(request([...begun, user(reminded)])));
  const later = user([{ type: 'text', text: 'recall it' }]);
  await proxy.post(request([...begun, later, answer, user('next')]));
  expect(recalledIn(received.at(-1))).toEqual([`id of ${reminded}`]);
});

test('a large result is shortened on arrival only where the model can recall the rest', async () => {
  const { url, received } = await startUpstream((response) =>
    reply(response, { role: 'assistant', content: 'ok' }),
  );
  const arrivals = { over: 1_000, to: 300 };
  const large = 'a line of the log\n'.repeat(2_000);
  const asked = [calling('read'), { role: 'tool', tool_call_id: 'call of read', content: large }];
  for (const config of [{ arrivals }, { rules: [{ model: 'gpt*', arrivals }] }]) {
    const wide = { contextWindow: 100_000, ...config };
    const proxy = await startOne({ upstream: url, recall: true, config: wide });
    const begun = [user('begin')];
    await proxy.post(request(begun));
    await proxy.post(request([...begun, ...asked]));
    await proxy.post(request([user('running'), ...asked]));
    const [, offered, running] = received.splice(0).map((one) => bodyOf(one).messages.at(-1).content);
    expect(offered).toMatch(/Read all of it with recall, ref #m3/);
    expect(running).toBe(large);
  }
});
