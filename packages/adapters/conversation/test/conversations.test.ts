import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryArchive } from '@ctx/archive';
import { type ChatMessage, openaiCodec } from '@ctx/codec-openai';
import type { ContextManager } from '@ctx/core';
import { words } from '@ctx/testing';
import fc from 'fast-check';
import { fileStore } from '../src/file-store.js';
import { Conversations, type ConversationsOptions, conversation } from '../src/index.js';
import { assistant, user } from './chat.js';

const config = { contextWindow: 1_500 };
const request = { provider: 'openai', model: 'gpt-5', scope: 'me' };
const conversationsWith = (options: ConversationsOptions = {}) => {
  const managers: ContextManager[] = [];
  const onManager = (manager: ContextManager) => managers.push(manager);
  return { of: new Conversations(openaiCodec, { config, onManager, ...options }), managers };
};
const grown = (name: string, turns: number): ChatMessage[] =>
  Array.from({ length: turns }, (_, turn) => [
    user(`${name} asks for step ${turn} of the work`),
    assistant(`${name} has done step ${turn}: ${words(40, `${name}${turn}`)}`),
  ]).flat();

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ctx store '));
});
afterEach(() => rm(folder, { recursive: true }));

test.each([
  ['chat-of-production', 'gpt-5-2025-08-07', true],
  ['gpt-5', 'chat-of-production', true],
  ['gemini-flash-latest', 'gemini-3-flash-preview', true],
  ['gpt-5', 'gpt-5-mini', false],
  ['claude-opus-5', 'claude-sonnet-5-5', false],
])('a deployment answers as its model, a fallback does not: %s by %s', async (model, answered, isSame) => {
  const { of, managers } = conversationsWith();
  const turn = await of.turn([user(words(100))], { ...request, model });
  await turn.prepare();
  await turn.answered({ inputTokens: 120, model: answered });
  expect(managers[0]?.stats().quality === 'calibrated').toBe(isSame);
  const own = conversation(openaiCodec, { model, onWarning: () => {} });
  own.sync([user(words(100))]);
  await own.send(async () => ({ model: answered, usage: { prompt_tokens: 120 } }));
  expect(own.manager.stats().quality === 'calibrated').toBe(isSame);
});

/** Goes through a history as an agent does, a request for each message of the user. */
async function run(of: Conversations<ChatMessage[]>, history: readonly ChatMessage[], scope = 'me') {
  const sent: ChatMessage[][] = [];
  for (let length = 1; length <= history.length; length += 2) {
    const turn = await of.turn(history.slice(0, length), { ...request, scope });
    sent.push(await turn.prepare());
    await turn.answered(undefined);
  }
  return sent;
}

test('a history that goes on is one conversation, and the same request twice is one request', async () => {
  const { of, managers } = conversationsWith();
  const history = grown('ann', 30);
  await run(of, history);
  const again = await of.turn(structuredClone(history.slice(0, -1)), request);
  await again.prepare();
  expect(managers).toHaveLength(1);
  expect(managers[0]?.stats().compressions).toBeGreaterThan(0);
  expect(managers[0]?.transcript).toHaveLength(history.length - 1);
});

test('conversations that share an archive are kept under ids of their own, and so is a fork', async () => {
  const archive = memoryArchive();
  const { of, managers } = conversationsWith({ archive });
  await run(of, grown('ann', 30));
  await run(of, grown('bob', 30), 'you');
  const fork = [...grown('ann', 12), user('Something else'), assistant('Yes.'), user('And now?')];
  await (await of.turn(fork, request)).prepare();
  expect(managers).toHaveLength(3);
  for (const manager of managers) expect([await manager.archived(), manager.warnings]).toEqual([true, []]);
  const found = await Promise.all(
    managers.map((manager) => manager.find('step of the work', { maxTokens: 300 })),
  );
  const names = found.map((passages) => [...new Set(passages.map(({ text }) => text.slice(0, 3)))]);
  expect(names.slice(0, 2)).toEqual([['ann'], ['bob']]);
  expect(names[2]?.every((name) => name === 'ann')).toBe(true);
});

test('the same history twice at once leaves each time as the objects of its own request', async () => {
  const { of } = conversationsWith();
  for (const turns of [1, 30]) {
    const both = [1, 2].map(() => [...grown('ann', turns), user('And now?')]);
    const asked = await Promise.all(both.map((history) => of.turn(history, request)));
    const sent = await Promise.all(asked.map((turn) => turn.prepare()));
    sent.forEach((native, at) => {
      expect(native.at(-1)).toBe(both[at]?.at(-1));
      expect(native).toEqual(sent[0]);
    });
  }
  expect(of.size).toBe(1);
});

test('histories that differ in the system prompt alone keep their own when they come at once', async () => {
  const { of } = conversationsWith();
  const both = ['one', 'two'].map((name): ChatMessage[] => [
    { role: 'system', content: `You are ${name}.` },
    ...grown('ann', 30),
    user('And now?'),
  ]);
  const turns = await Promise.all(both.map((history) => of.turn(history, request)));
  const sent = await Promise.all(turns.map((turn) => turn.prepare()));
  expect(sent.map(([first]) => first)).toEqual(both.map(([first]) => first));
});

test('an agent that changes its newest message with each request needs one conversation', async () => {
  const { of, managers } = conversationsWith();
  const history = grown('ann', 20);
  for (let length = 1; length <= history.length; length += 2) {
    const said = history.slice(0, length);
    const timed = user(`${said.at(-1)?.content}\n[time: ${length}]`);
    await (await of.turn([...said.slice(0, -1), timed], request)).prepare();
  }
  // The first request has nothing in common with the second.
  expect(managers).toHaveLength(2);
});

test('other credentials, another model or another session are other conversations', async () => {
  const { of, managers } = conversationsWith();
  const history = grown('ann', 2).slice(0, 3);
  for (const other of [{}, { scope: 'you' }, { model: 'gpt-4o' }])
    await of.turn(history, { ...request, ...other });
  expect(managers).toHaveLength(3);
});

test('a system prompt with the time in it does not part a conversation', async () => {
  const { of, managers } = conversationsWith();
  const history = grown('ann', 3);
  for (const length of [1, 3, 5]) {
    const system: ChatMessage = { role: 'system', content: `It is ${length} o’clock.` };
    const sent = [system, ...history.slice(0, length)];
    expect(await (await of.turn(sent, request)).prepare()).toEqual(sent);
  }
  expect(managers).toHaveLength(1);
});

test('whatever requests come in whatever order, each is sent its own history or a shorter view of it', async () => {
  const asked = fc.tuple(fc.constantFrom('a', 'b'), fc.nat({ max: 5 }), fc.nat({ max: 5 }));
  await fc.assert(
    fc.asyncProperty(fc.array(asked, { minLength: 1, maxLength: 12 }), async (requests) => {
      const { of } = conversationsWith({ config: { contextWindow: 100_000 }, maxConversations: 3 });
      await Promise.all(
        requests.map(async ([name, own, shared]) => {
          const history = [...grown('both', shared), ...grown(name, own), user('next')];
          expect(await (await of.turn(history, request)).prepare()).toEqual(history);
        }),
      );
    }),
    { numRuns: 20 },
  );
});

test('the conversation used longest ago leaves memory, and a folder brings its compressions back', async () => {
  const states = fileStore(join(folder, 'conversations'));
  const { of, managers } = conversationsWith({ states, maxConversations: 1 });
  const history = grown('ann', 20);
  await run(of, history.slice(0, -2));
  await run(of, grown('bob', 2));
  expect(of.size).toBe(1);
  const elsewhere = conversationsWith({ states: fileStore(join(folder, 'conversations')) });
  await (await elsewhere.of.turn(history.slice(0, -1), request)).prepare();
  const idsOf = (manager: ContextManager | undefined) => manager?.history.map(({ id }) => id) ?? [];
  const before = idsOf(managers[0]);
  expect(before.length).toBeGreaterThan(0);
  expect(idsOf(elsewhere.managers.at(-1)).slice(0, before.length)).toEqual(before);
  const files = await readdir(join(folder, 'conversations'));
  expect(files.every((name) => /^[\w%-]+\.json$/.test(name))).toBe(true);
});

test('a device in the place of a saved state is refused, and not read', async () => {
  await symlink('/dev/zero', join(folder, 'key.json'));
  const store = fileStore(folder);
  await expect(store.get('key')).rejects.toMatchObject({ code: 'snapshot-invalid' });
  await expect(store.put('key', 'state', 1)).rejects.toMatchObject({ code: 'snapshot-invalid' });
  expect(await store.get('other')).toBeUndefined();
});

test('a folder takes one state after another, and none twice', async () => {
  const store = fileStore(folder);
  expect(await store.get('a/b')).toBeUndefined();
  const put = await Promise.all([1, 1, 2, 4].map((version) => store.put('a/b', `state ${version}`, version)));
  expect(put).toEqual([true, false, true, false]);
  expect(await fileStore(folder).get('a/b')).toEqual({ version: 2, value: 'state 2' });
});

describe('what the provider counts', () => {
  /** Six tokens for ten that are counted here, in a window that the count alone would fill. */
  async function calibrated(config: ConversationsOptions['config'] = {}) {
    const { of, managers } = conversationsWith({ config: { contextWindow: 3_000, ...config } });
    const history = grown('ann', 40);
    for (let length = 1; length < 80; length += 2) {
      const turn = await of.turn(history.slice(0, length), { ...request, sender: 'ann' });
      await turn.prepare();
      const { countedTokens } = turn.conversation.manager.stats();
      await turn.answered({ inputTokens: Math.round(0.6 * countedTokens) });
    }
    const last = history.slice(0, 79);
    expect(managers[0]?.stats()).toMatchObject({ compressions: 0, quality: 'calibrated' });
    expect(managers[0]?.stats().countedTokens).toBeGreaterThan(3_000);
    return { of, last };
  }
  const asked = user('Please write a summary of the conversation.');

  test('holds for a request that counts tokens, in no session, and for a summary of everything', async () => {
    const { of, last } = await calibrated();
    const outside = { ...request, scope: 'no session', sender: 'ann' };
    expect(await (await of.sideTurn(last, outside)).prepare()).toEqual(last);
    expect((await of.sideTurn([...last, asked], request, true)).conversation.fits).toBe(true);
    expect((await of.sideTurn([user(JSON.stringify(last))], outside, true)).conversation.fits).toBe(true);
    expect(of.size).toBe(1);
  });

  test('holds after a change of model, until that has told its own', async () => {
    const { of, last } = await calibrated({ trigger: { window: true } });
    const turn = await of.turn(last, { ...request, model: 'gpt-5-mini', sender: 'ann' });
    expect(await turn.prepare()).toEqual(last);
    const { countedTokens } = turn.conversation.manager.stats();
    await turn.answered({ inputTokens: Math.round(0.8 * countedTokens) });
    expect(turn.conversation.manager.stats().currentTokens).toBe(Math.round(0.8 * countedTokens));
  });

  test('does not hold for somebody else', async () => {
    const { of, last } = await calibrated();
    const other = await of.turn(last, { ...request, scope: 'bob', sender: 'bob' });
    expect(other.conversation.manager.stats().quality).not.toBe('calibrated');
  });
});
