import { mkdtempSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json, startOne, startUpstream } from './upstream.js';

type Message = Record<string, unknown>;
const tools = [{ type: 'function', function: { name: 'read', parameters: {} } }];
const user = (content: unknown) => ({ role: 'user', content });
const request = (messages: readonly unknown[]) => ({ model: 'gpt-5', messages, tools });
const bodyOf = ({ body }: { readonly body: Buffer }) => JSON.parse(body.toString('utf8'));
const messageIn = async (response: Response) =>
  ((await response.json()) as { choices: readonly { message: Message }[] }).choices[0]?.message;

/** Recalls if the newest message of the user says so, with its words as the query, and then says what `said` says. */
const upstream = (said: (asked: string) => string) =>
  startUpstream((response: ServerResponse, { body }: { readonly body: Buffer }) => {
    const { messages } = bodyOf({ body });
    const last = messages.at(-1);
    const asked = String(messages.findLast((one: Message) => one.role === 'user').content);
    const call = { name: 'recall', arguments: JSON.stringify({ query: asked }) };
    const message =
      last.role === 'user' && asked.includes('recall')
        ? {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: `id of ${asked}`, type: 'function', function: call }],
          }
        : { role: 'assistant', content: said(asked) };
    json(response, { choices: [{ index: 0, message, finish_reason: 'stop' }], usage: { prompt_tokens: 50 } });
  });

const recalledIn = (one: { readonly body: Buffer } | undefined) =>
  bodyOf(one as never).messages.flatMap(({ tool_calls: calls }: Message) =>
    Array.isArray(calls) ? calls.map(({ id }) => id) : [],
  );

describe.each([
  ['that get different answers', (asked: string) => `done: ${asked}`],
  ['that get the same answer', () => 'Done.'],
])('two forks of a conversation %s', (_title, said) => {
  test.each([
    ['in memory', () => undefined],
    ['in a store', () => `sqlite:${mkdtempSync(join(tmpdir(), 'ctx-forks-'))}/states.sqlite`],
  ])('each keep what they recalled at the same place, %s', async (_where, storeOf) => {
    const { url, received } = await upstream(said);
    const store = storeOf();
    const proxy = await startOne({ upstream: url, recall: true, ...(store !== undefined && { store }) });
    const begun = [user('begin'), await messageIn(await proxy.post(request([user('begin')])))];
    const forks = [];
    for (const asked of ['recall the cat', 'recall the dog', 'go on'])
      forks.push([
        ...begun,
        user(asked),
        await messageIn(await proxy.post(request([...begun, user(asked)]))),
      ]);
    for (const [at, own] of [['id of recall the cat'], ['id of recall the dog'], []].entries()) {
      await proxy.post(request([...(forks[at] as Message[]), user('next')]));
      expect(recalledIn(received.at(-1))).toEqual(own);
    }
  });
});

test('forks that send at once lose nothing of each other', async () => {
  const { url, received } = await upstream((asked) => `done: ${asked}`);
  const proxy = await startOne({ upstream: url, recall: true });
  const begun = [user('begin'), await messageIn(await proxy.post(request([user('begin')])))];
  const all = ['recall a', 'recall b', 'recall c', 'recall d'];
  const answers = await Promise.all(
    all.map(async (asked) => messageIn(await proxy.post(request([...begun, user(asked)])))),
  );
  for (const [at, asked] of all.entries()) {
    await proxy.post(request([...begun, user(asked), answers[at], user('next')]));
    expect(recalledIn(received.at(-1))).toEqual([`id of ${asked}`]);
  }
});

test('a reminder that the agent added for one request only does not lose what was recalled', async () => {
  const { url, received } = await upstream(() => 'Done.');
  const proxy = await startOne({ upstream: url, recall: true });
  const begun = [user('begin'), await messageIn(await proxy.post(request([user('begin')])))];
  const reminded = 'recall it\n<system-reminder>Plan mode is active.</system-reminder>';
  const answer = await messageIn(await proxy.post(request([...begun, user(reminded)])));
  const later = user([{ type: 'text', text: 'recall it' }]);
  await proxy.post(request([...begun, later, answer, user('next')]));
  expect(recalledIn(received.at(-1))).toEqual([`id of ${reminded}`]);
});
