import { setImmediate } from 'node:timers/promises';
import { memoryStateStore } from '@ctx/conversation';
import { type ContextFetchOptions, contextFetch } from '../src/index.js';
import { json, startServer } from './server.js';
import { longHistory } from './watched-fetch.js';

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** A token that says whose it is; `serial` tells two of them apart. */
const tokenOf = (sub: string, serial: number) =>
  `${encoded({ alg: 'none' })}.${encoded({ iss: 'https://auth.example', sub, exp: serial })}.signature${serial}`;

type Headers = Record<string, string>;
const bearer = (token: string, more: Headers = {}): Headers => {
  return { authorization: `Bearer ${token}`, ...more };
};

/** A function that sends a history of so many turns and gives the beginning of what leaves: the part that was compressed. */
async function setUp(options: ContextFetchOptions & { organization?: string } = {}) {
  const { organization, ...more } = options;
  const refused = new Set<string>();
  const server = await startServer((response, { headers }) => {
    if (organization !== undefined) response.setHeader('anthropic-organization-id', organization);
    const isRefused = [...refused].some((token) => headers.authorization?.includes(token));
    json(response, isRefused ? { error: { message: 'who are you?' } } : { usage: {} }, isRefused ? 401 : 200);
  });
  const begin = () => contextFetch({ config: { contextWindow: 4_000 }, onWarning: () => {}, ...more });
  let send = begin();
  const beginning = async (turns: number, headers: Headers, body = {}, path = '/chat/completions') => {
    const text = JSON.stringify({ model: 'gpt-5', ...body, messages: longHistory(turns + 1).slice(1, -2) });
    await (await send(`${server.url}${path}`, { method: 'POST', headers, body: text })).text();
    const [first] = JSON.parse(server.received.at(-1)?.body ?? '').messages;
    return JSON.stringify(first);
  };
  const restart = () => {
    send = begin();
  };
  return { beginning, refused, restart };
}

/** What is sent of 61 turns where all are compressed at once, and where 60 were compressed before and stand still. */
async function bothBeginnings(headers: Headers, body?: object, path?: string) {
  const [anew, goesOn] = await Promise.all([setUp(), setUp()]);
  const whole = await anew.beginning(61, headers, body, path);
  await goesOn.beginning(60, headers, body, path);
  const kept = await goesOn.beginning(61, headers, body, path);
  expect(kept).not.toBe(whole);
  return { whole, kept };
}

describe.each<[string, (user: string, serial: number) => Headers]>([
  ['a token that can be read', (user, serial) => bearer(tokenOf(user, serial))],
  ['an account in a header', (user, serial) => bearer(`opaque${serial}`, { 'chatgpt-account-id': user })],
])('with %s', (_, headersOf) => {
  test('a refreshed token joins once a request with it was accepted', async () => {
    const { whole, kept } = await bothBeginnings(headersOf('ann', 1));
    const { beginning } = await setUp();
    await beginning(60, headersOf('ann', 1));
    expect(await beginning(61, headersOf('ann', 2))).toBe(whole);
    expect(await beginning(61, headersOf('ann', 2))).toBe(kept);
    expect(await beginning(61, headersOf('ann', 1))).toBe(kept);
  });

  test('one that is refused never joins, whatever it says, and neither does one before it is accepted', async () => {
    const { whole, kept } = await bothBeginnings(headersOf('ann', 1));
    const { beginning, refused } = await setUp();
    await beginning(60, headersOf('ann', 1));
    const forged = headersOf('ann', 7);
    refused.add((forged.authorization as string).split('.').at(-1)?.replace('Bearer ', '') as string);
    for (let time = 0; time < 3; time += 1) expect(await beginning(61, forged)).toBe(whole);
    refused.clear();
    expect(await beginning(61, forged)).toBe(whole);
    expect(await beginning(61, forged)).toBe(kept);
  });

  test('two users with the same beginning stay apart', async () => {
    const { whole } = await bothBeginnings(headersOf('ann', 1));
    const { beginning } = await setUp();
    await beginning(60, headersOf('ann', 1));
    for (let time = 0; time < 3; time += 1) expect(await beginning(61, headersOf('bob', 2))).toBe(whole);
  });

  test('a token that has joined goes on after a restart', async () => {
    const { kept } = await bothBeginnings(headersOf('ann', 1));
    const states = memoryStateStore();
    const { beginning, restart } = await setUp({ states });
    await beginning(60, headersOf('ann', 1));
    const stored = jest.spyOn(states, 'put');
    await beginning(61, headersOf('ann', 2));
    const isToken = ([key]: readonly unknown[]) => String(key).startsWith('token-');
    while (!stored.mock.calls.some(isToken)) await setImmediate();
    await Promise.all(stored.mock.results.map(({ value }) => value));
    expect(JSON.stringify(stored.mock.calls)).not.toMatch(/opaque|signature|auth.example/);
    restart();
    expect(await beginning(61, headersOf('ann', 2))).toBe(kept);
  });
});

test('two tokens of one workspace that name other users stay apart', async () => {
  const headersOf = (user: string) => bearer(tokenOf(user, 1), { 'chatgpt-account-id': 'team' });
  const { whole } = await bothBeginnings(headersOf('ann'));
  const { beginning } = await setUp();
  await beginning(60, headersOf('ann'));
  for (let time = 0; time < 2; time += 1) expect(await beginning(61, headersOf('bob'))).toBe(whole);
});

describe('an account that Claude Code names counts within the organization that the answer names', () => {
  const user_id = JSON.stringify({ account_uuid: 'a1', session_id: 's' });
  const body = { max_tokens: 9, metadata: { user_id } };
  test.each([
    ['named', 'org-1', true],
    ['not named', undefined, false],
  ])('%s', async (_, organization, isJoined) => {
    const { whole, kept } = await bothBeginnings(bearer('one'), body, '/messages');
    const { beginning } = await setUp(organization === undefined ? {} : { organization });
    await beginning(60, bearer('one'), body, '/messages');
    expect(await beginning(61, bearer('two'), body, '/messages')).toBe(whole);
    expect(await beginning(61, bearer('two'), body, '/messages')).toBe(isJoined ? kept : whole);
  });
});

test('plain keys are their own accounts', async () => {
  const { whole } = await bothBeginnings({ 'x-api-key': 'one' });
  const { beginning } = await setUp();
  await beginning(60, { 'x-api-key': 'one' });
  for (let time = 0; time < 2; time += 1) expect(await beginning(61, { 'x-api-key': 'two' })).toBe(whole);
});
