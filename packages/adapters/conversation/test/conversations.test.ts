import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { memoryArchive } from '@ctx/archive';
import { type ChatMessage, openaiCodec } from '@ctx/codec-openai';
import type { ContextManager } from '@ctx/core';
import { words } from '@ctx/testing';
import fc from 'fast-check';
import { fileStore } from '../src/file-store.js';
import {
  Conversations,
  type ConversationsOptions,
  memoryStore,
  unstorageStore,
  type Warning,
} from '../src/index.js';

const config = { contextWindow: 1_500 };
const request = { provider: 'openai', model: 'gpt-5', scope: 'me' };
const user = (content: string): ChatMessage => ({ role: 'user', content });
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content });
const conversationsWith = (options: ConversationsOptions = {}) => {
  const managers: ContextManager[] = [];
  const of = new Conversations(openaiCodec, {
    config,
    onManager: (manager) => managers.push(manager),
    ...options,
  });
  return { of, managers };
};
const grown = (name: string, turns: number): ChatMessage[] =>
  Array.from({ length: turns }, (_, turn) => [
    user(`${name} asks for step ${turn} of the work`),
    assistant(`${name} has done step ${turn}: ${words(40, `${name}${turn}`)}`),
  ]).flat();

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

test('the first history is read once the tokenizer is loaded, so nothing of it is counted twice', async () => {
  const seen: string[] = [];
  const { of } = conversationsWith({
    // Nobody else here has loaded this one.
    config: { ...config, encoding: 'cl100k_base' },
    onManager: (manager) => manager.on('message-append', () => seen.push(manager.stats().quality)),
  });
  await of.turn([user('Hello')], { scope: 'me' });
  expect(seen).toEqual(['exact']);
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

test('a fork takes over what was shortened before a send', async () => {
  const { of, managers } = conversationsWith({
    config: {
      contextWindow: 50_000,
      beforeSend: { pipeline: ['tool-results'] },
      options: { 'tool-results': { clearAtLeast: 1 } },
    },
  });
  const read = (id: string): ChatMessage[] => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'read_file', arguments: '{"path":"a.ts"}' } }],
    },
    { role: 'tool', tool_call_id: id, content: words(400, 'line') },
  ];
  const start = [user('Read it twice'), ...read('a'), ...read('b'), assistant('Done.'), user('And?')];
  const goesOn = (...said: string[]) =>
    said.map((content, at) => (at % 2 === 0 ? assistant(content) : user(content)));
  for (const rest of [
    [],
    goesOn('Well.', 'Go on', 'So.', 'And on', 'Fine.', 'Good'),
    goesOn('Well.', 'Stop', 'No.', 'Now?'),
  ])
    await (await of.turn([...start, ...rest], request)).prepare();
  const [first, fork] = managers.map(({ simplifications }) => simplifications);
  expect(first).toHaveLength(1);
  expect(fork).toEqual(first);
  expect(managers[0]?.stats().compressions).toBe(0);
});

test('twenty conversations at once never mix', async () => {
  const { of, managers } = conversationsWith();
  const names = Array.from({ length: 20 }, (_, at) => `agent${at}x`);
  const all = await Promise.all(names.map((name) => run(of, grown(name, 12))));
  expect(managers).toHaveLength(20);
  all.forEach((requests, at) => {
    const others = JSON.stringify(requests).match(/agent\d+x/g) ?? [];
    expect(new Set(others)).toEqual(new Set([names[at]]));
  });
});

test('those who begin alike part where they part, each with its own', async () => {
  const { of, managers } = conversationsWith();
  const start = grown('all', 3);
  const branches = ['left', 'right'].map((name) => [...start, ...grown(name, 3)]);
  const [left, right] = branches as [ChatMessage[], ChatMessage[]];
  // In step: who asks for what another one has gone beyond gets a copy.
  for (let length = 1; length < left.length; length += 2) {
    const asked = branches.map((history) => of.turn(history.slice(0, length), request));
    await Promise.all((await Promise.all(asked)).map((turn) => turn.prepare()));
  }
  for (const history of [left, right, left, right]) {
    const turn = await of.turn(history.slice(0, -1), request);
    expect(await turn.prepare()).toEqual(history.slice(0, -1));
  }
  expect(managers.length).toBeLessThanOrEqual(3);
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

test('a history that was edited or shortened goes on from what it has in common', async () => {
  const { of } = conversationsWith();
  const history = grown('ann', 4);
  await run(of, history);
  const edited = [...history.slice(0, 3), assistant('no'), user('try again')];
  expect(await (await of.turn(edited, request)).prepare()).toEqual(edited);
  expect(await (await of.turn(history.slice(0, 3), request)).prepare()).toEqual(history.slice(0, 3));
  expect(await (await of.turn(history.slice(0, 7), request)).prepare()).toEqual(history.slice(0, 7));
});

test('an agent that changes its newest message with each request needs one conversation', async () => {
  const { of, managers } = conversationsWith();
  const history = grown('ann', 20);
  for (let length = 1; length <= history.length; length += 2) {
    const said = history.slice(0, length);
    const turn = await of.turn(
      [...said.slice(0, -1), user(`${said.at(-1)?.content}\n[time: ${length}]`)],
      request,
    );
    await turn.prepare();
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
    const sent = [
      { role: 'system' as const, content: `It is ${length} o’clock.` },
      ...history.slice(0, length),
    ];
    expect(await (await of.turn(sent, request)).prepare()).toEqual(sent);
  }
  expect(managers).toHaveLength(1);
});

test('whatever requests come in whatever order, each is sent its own history or a shorter view of it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.nat({ max: 5 }), fc.nat({ max: 5 })), {
        minLength: 1,
        maxLength: 12,
      }),
      async (requests) => {
        const { of } = conversationsWith({ config: { contextWindow: 100_000 }, maxConversations: 3 });
        await Promise.all(
          requests.map(async ([name, own, shared]) => {
            const history = [...grown('both', shared), ...grown(name, own), user('next')];
            const turn = await of.turn(history, request);
            expect(await turn.prepare()).toEqual(history);
          }),
        );
      },
    ),
    { numRuns: 20 },
  );
});

test('the conversation used longest ago leaves memory, and a store brings it back with its records', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ctx store '));
  const storage = new Map<string, unknown>();
  const stores = {
    memory: memoryStore(),
    file: fileStore(join(folder, 'conversations')),
    unstorage: unstorageStore({
      getItemRaw: async (key) => storage.get(key) ?? null,
      setItemRaw: async (key, value) => {
        storage.set(key, value);
      },
    }),
  };
  for (const store of Object.values(stores)) {
    const { of, managers } = conversationsWith({ store, maxConversations: 1 });
    const history = grown('ann', 20);
    await run(of, history.slice(0, -2));
    await run(of, grown('bob', 2));
    expect(of.size).toBe(1);
    const elsewhere = conversationsWith({ store });
    await (await elsewhere.of.turn(history.slice(0, -1), request)).prepare();
    const [before, after] = [managers[0], elsewhere.managers[0]];
    expect(after?.history.length).toBeGreaterThan(0);
    expect(after?.history.map(({ id }) => id).slice(0, before?.history.length)).toEqual(
      before?.history.map(({ id }) => id),
    );
  }
  const files = await readdir(join(folder, 'conversations'));
  expect(files.every((name) => /^[\w%-]+\.jsonl$/.test(name))).toBe(true);
  await rm(folder, { recursive: true });
});

test('what is said is appended to a store, not written anew', async () => {
  const store = memoryStore();
  const calls: string[] = [];
  const watched = {
    get: store.get,
    set: (key: string, value: string) => {
      calls.push('set');
      return store.set(key, value);
    },
    append: (key: string, value: string) => {
      calls.push('append');
      return store.append(key, value);
    },
  };
  const { of } = conversationsWith({ store: watched, config: { contextWindow: 100_000 } });
  await run(of, grown('ann', 6));
  expect(calls).toEqual(['set', 'append', 'append', 'append', 'append', 'append']);
});

test('a store gets snapshots compressed', async () => {
  const values: string[] = [];
  const store = memoryStore();
  const watched = {
    ...store,
    set: (key: string, value: string) => {
      values.push(value);
      return store.set(key, value);
    },
  };
  const { of, managers } = conversationsWith({ store: watched });
  await run(of, grown('ann', 30));
  expect(values.length).toBeGreaterThan(1);
  const { snapshot } = JSON.parse(values.at(-1) as string);
  const text = gunzipSync(Buffer.from(snapshot, 'base64')).toString();
  expect(JSON.parse(text).records).toHaveLength(managers[0]?.history.length as number);
  expect(snapshot.length).toBeLessThan(text.length / 2);
});

test('a store that fails, or holds something else, costs a warning and no request', async () => {
  const warnings: Warning[] = [];
  const broken = {
    get: async () => '{"snapshot":17}',
    set: async () => Promise.reject(new Error('disk full')),
    append: async () => {},
  };
  const { of } = conversationsWith({ store: broken, onWarning: (warning) => warnings.push(warning) });
  const history = grown('ann', 3);
  expect((await run(of, history)).at(-1)).toEqual(history.slice(0, -1));
  expect(warnings.map(({ code }) => code)).toEqual(['store-failed']);
});

test('a device in the place of a saved conversation is refused, and not read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ctx store '));
  const store = fileStore(folder);
  await symlink('/dev/zero', join(folder, 'key.jsonl'));
  await expect(store.get('key')).rejects.toMatchObject({ code: 'snapshot-invalid' });
  await expect(store.append('key', 'more')).rejects.toMatchObject({ code: 'snapshot-invalid' });
  expect(await store.get('other')).toBeUndefined();
  await rm(folder, { recursive: true });
});

test('a line that a crash cut off is left out', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ctx store '));
  const store = fileStore(folder);
  const { of } = conversationsWith({ store, config: { contextWindow: 100_000 } });
  const history = grown('ann', 4);
  await run(of, history);
  const [name = ''] = await readdir(folder);
  const path = join(folder, name);
  const text = (await store.get(decodeURIComponent(name.replace('.jsonl', '')))) as string;
  await writeFile(path, text.slice(0, -40));
  const { of: elsewhere, managers } = conversationsWith({ store, config: { contextWindow: 100_000 } });
  expect(await (await elsewhere.turn(history.slice(0, -1), request)).prepare()).toEqual(history.slice(0, -1));
  expect(managers).toHaveLength(1);
  await rm(folder, { recursive: true });
});

test('what two processes have written of the same turn is read once', async () => {
  const store = memoryStore();
  const history = grown('ann', 3);
  await run(conversationsWith({ store }).of, history.slice(0, 2));
  const both = [conversationsWith({ store }), conversationsWith({ store })];
  const turns = await Promise.all(both.map(({ of }) => of.turn(history.slice(0, 4), request)));
  for (const turn of turns) await turn.answered(undefined);
  const warnings: Warning[] = [];
  const { of, managers } = conversationsWith({ store, onWarning: (warning) => warnings.push(warning) });
  await of.turn(history, request);
  expect([managers.length, managers[0]?.transcript.length, warnings]).toEqual([1, history.length, []]);
});

test('a conversation with a call that was never answered is found again in its store', async () => {
  const store = memoryStore();
  const call = { id: 'c1', type: 'function' as const, function: { name: 'read', arguments: '{}' } };
  const history: ChatMessage[] = [
    user('look at it'),
    { role: 'assistant', content: null, tool_calls: [call] },
    user('never mind'),
    assistant('fine'),
    user('and now?'),
  ];
  await (await conversationsWith({ store }).of.turn(history.slice(0, 3), request)).answered(undefined);
  const { of, managers } = conversationsWith({ store });
  await of.turn(history, request);
  expect(managers).toHaveLength(1);
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
  const asked: ChatMessage = { role: 'user', content: 'Please write a summary of the conversation.' };

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
