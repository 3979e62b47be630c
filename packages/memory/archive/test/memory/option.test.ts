import { memoryArchive } from '@ctx/archive';
import {
  type Archive,
  ContextManager,
  createContextManager,
  type ManagerOptions,
  type Message,
} from '@ctx/core';
import { assistant, call, result, system, user, wordCounter } from '@ctx/testing';

const window = 200;

const managerWith = (archive: Archive, options: ManagerOptions = {}) =>
  createContextManager({ archive, memory: 'archive', ...settings, ...options });

const settings: ManagerOptions = {
  counter: wordCounter,
  now: () => 5,
  config: { contextWindow: window, overhead: { message: 0, conversation: 0 }, minMessagesToKeep: 1 },
};

/** Drops the older half of what is not the system prompt, or merges it. */
const halving = (type: 'drop' | 'merge') => ({
  name: 'halving',
  emits: [type],
  plan: ({ view }: { view: readonly { id: string; message: Message }[] }) => {
    const said = view.filter(({ message }) => message.role !== 'system');
    const messages = said.slice(0, 2 * Math.floor(said.length / 4)).map(({ id }) => id);
    const edit = {
      type,
      messages,
      reason: 'old',
      ...(type === 'merge' && { text: 'what was said', placement: 'first' }),
    };
    return { edits: messages.length < 2 ? [] : [edit as never] };
  },
});

/** Two messages with a native form. */
function turn(number: number): Message[] {
  return [
    {
      ...user(`question ${number} about the ${['lexer', 'parser', 'printer'][number % 3]}`),
      native: { q: number },
    },
    { ...assistant(`answer ${number} in ${'some words '.repeat(4)}`), native: { a: [number, null] } },
  ];
}

async function talk(manager: ContextManager, from: number, to: number, strategy = halving('drop')) {
  for (let number = from; number < to; number += 1) {
    for (const message of turn(number)) manager.append(message);
    if (number % 10 === 9) {
      await manager.compress({ strategy: strategy as never, targetTokens: 1 });
      await manager.archived();
    }
  }
}

/** What a manager that keeps everything shows after the same. */
const asJson = (manager: ContextManager) => JSON.stringify(manager.view());

describe.each(['drop', 'merge'] as const)("memory: 'archive' with %s", (type) => {
  async function both(turns: number, archive = memoryArchive()) {
    const manager = managerWith(archive);
    const whole = createContextManager(settings);
    for (const one of [manager, whole]) {
      one.append(system('You help.'));
      await talk(one, 0, turns, halving(type));
    }
    return { manager, whole, archive };
  }

  test('lets go of what the view does not show, and shows and counts the same', async () => {
    const { manager, whole } = await both(200);
    expect(manager.transcript.length).toBeLessThan(whole.transcript.length / 2);
    expect(asJson(manager)).toBe(asJson(whole));
    expect(manager.stats()).toEqual(whole.stats());
    expect(manager.transcript.map(({ id, index, exchange }) => [id, index, exchange])).toEqual(
      manager.transcript.map(({ index }) => {
        const { id, exchange } = whole.transcript[index] as (typeof whole.transcript)[number];
        return [id, index, exchange];
      }),
    );
    const size = (one: ContextManager) => JSON.stringify(one.snapshot()).length;
    const before = size(manager);
    await talk(manager, 200, 400, halving(type));
    expect(size(manager)).toBeLessThan(before * 1.3);
  });

  test('finds, reads and explains what has left memory', async () => {
    const { manager } = await both(200);
    expect(manager.transcript.some(({ index }) => index === 10)).toBe(false);
    expect((await manager.read('#m11')).map(({ text }) => text).join('')).toBe(
      `answer 4 in ${'some words '.repeat(4)}`,
    );
    const [found] = await manager.find('question 4 about the parser');
    expect(found?.text).toBe('question 4 about the parser');
    expect(await manager.explain('#m11')).toMatchObject({
      ref: '#m11',
      state: type === 'drop' ? 'dropped' : 'merged',
    });
    await expect(manager.explain('#m401x')).rejects.toMatchObject({ code: 'id-unknown' });
  });

  test('undoes records over the boundary after their messages were brought back, word for word', async () => {
    const { manager, whole, archive } = await both(120);
    const [oldest] = manager.history;
    expect(() => manager.undo(oldest?.id as string)).toThrow(
      expect.objectContaining({ code: 'messages-archived' }),
    );
    expect(asJson(manager)).toBe(asJson(whole));
    await manager.bringBack(oldest?.id as string);
    expect(manager.undo(oldest?.id as string)).toEqual(whole.undo(oldest?.id as string));
    expect(asJson(manager)).toBe(asJson(whole));
    expect(await manager.archived()).toBe(true);
    // What is shown again is not found, but stays in the archive for a process that has let go of it.
    const shown = manager.transcript.find(
      ({ message }) => manager.view().includes(message) && message.role === 'assistant',
    );
    const number = (shown?.index ?? 0) + 1;
    expect(await archive.originals('conversation', number, number)).toHaveLength(1);
    const found = await manager.find(String(shown?.message.content));
    expect(found.map(({ message }) => message)).not.toContain(number);
    await talk(manager, 120, 160, halving(type));
    await talk(whole, 120, 160, halving(type));
    expect(asJson(manager)).toBe(asJson(whole));
  });

  test('rewinds to a message that has left memory', async () => {
    const { manager, whole } = await both(120);
    await manager.bringBack('#m30');
    const at = (one: ContextManager) => one.transcript.find(({ index }) => index === 29)?.id as string;
    manager.rewindTo(at(manager));
    whole.rewindTo(at(whole));
    expect(asJson(manager)).toBe(asJson(whole));
    await talk(manager, 300, 340, halving(type));
    await talk(whole, 300, 340, halving(type));
    expect(asJson(manager)).toBe(asJson(whole));
    expect(await manager.archived()).toBe(true);
  });

  test('goes on from a snapshot in another process', async () => {
    const { manager, whole, archive } = await both(120);
    const json = JSON.stringify(manager.snapshot());
    const copy = ContextManager.restore(JSON.parse(json), { ...settings, archive, memory: 'archive' });
    expect(JSON.stringify(copy.snapshot())).toBe(json);
    expect(asJson(copy)).toBe(asJson(whole));
    await talk(copy, 120, 260, halving(type));
    await talk(whole, 120, 260, halving(type));
    expect(asJson(copy)).toBe(asJson(whole));
    const { id } = copy.history[0] as { id: string };
    await copy.bringBack(id);
    copy.undo(id);
    whole.undo(id);
    expect(asJson(copy)).toBe(asJson(whole));
    const bare = ContextManager.restore(JSON.parse(json), settings);
    await expect(bare.bringBack('#m10')).rejects.toMatchObject({ code: 'port-missing' });
    expect(asJson(bare)).toBe(JSON.stringify(manager.view()));
  });

  test('sync takes the whole history, and a history that ends in what has left memory is refused', async () => {
    const { manager, whole } = await both(120);
    const history = whole.transcript.map(({ message }) => message);
    expect(manager.sync([...history, user('One more.')])).toMatchObject({
      added: [{ index: history.length }],
      removed: [],
    });
    expect(() => manager.sync(history.slice(0, 30))).toThrow(
      expect.objectContaining({ code: 'messages-archived' }),
    );
    const other = history.map((message) => (message.role === 'system' ? system('You help more.') : message));
    const before = manager.view().slice(1);
    manager.sync([...other, user('One more.')]);
    expect(manager.view()[0]?.content).toBe('You help more.');
    expect(manager.view().slice(1)).toEqual(before);
  });
});

test('calls and results leave together, and come back together', async () => {
  const manager = managerWith(memoryArchive());
  for (let number = 0; number < 60; number += 1) {
    manager.append(user(`question ${number}`));
    manager.append(call(`c${number}`, 'read', { path: `f${number}.ts` }));
    manager.append(result(`c${number}`, `content ${'of it '.repeat(10)}${number}`));
    manager.append(assistant(`answer ${number}`));
    if (number % 10 === 9) await manager.compress({ strategy: halving('merge') as never, targetTokens: 1 });
    await manager.archived();
  }
  const { transcript } = manager;
  expect(transcript.length).toBeLessThan(200);
  const copy = ContextManager.restore(JSON.parse(JSON.stringify(manager.snapshot())), settings);
  expect(copy.transcript.length).toBe(transcript.length);
  const [found] = await manager.read('#m7');
  expect(found?.heading).toContain('f1.ts');
});

test.each<[string, object, string, unknown, RegExp, RegExp]>([
  ['of an unknown kind', { memory: 'disk' }, 'memory', 'disk', /"all" or "archive"/, /Leave it out/],
  ['of no kind', { memory: null }, 'memory', null, /"all" or "archive"/, /Leave it out/],
  ['without an archive', { memory: 'archive' }, 'memory', 'archive', /only with an archive/, /memoryArchive/],
  [
    'with an archive that keeps no originals',
    { memory: 'archive', archive: Object.assign(memoryArchive(), { originals: undefined }) },
    'archive',
    expect.objectContaining({ originals: undefined }),
    /no originals\(\)/,
    /memoryArchive/,
  ],
])('a memory %s is refused', (_title, options, place, value, problem, remedy) => {
  let thrown: unknown;
  try {
    createContextManager(options as never);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({
    code: 'config-invalid',
    place,
    value,
    message: expect.stringMatching(problem),
    remedy: expect.stringMatching(remedy),
    problems: [expect.anything()],
  });
});
