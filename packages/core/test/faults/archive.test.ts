import {
  type Archive,
  type ArchivedMessage,
  CtxError,
  createContextManager,
  type ManagerOptions,
  type Message,
} from '@ctx/core';
import { Awaits, type SeenCall, settled, strikesOf, turn } from '@ctx/servers';
import { assistant, call, result, transcript, user, wordCounter, words } from '@ctx/testing';

const timeoutMs = 1_000;

const turnsOf = (length: number, lineWords: number): readonly Message[] =>
  transcript(
    ...Array.from({ length }, (_, index) => [
      call(`c${index}`, 'read', { path: `src/file-${index}.ts` }),
      result(`c${index}`, words(lineWords, `line${index}`)),
      assistant(words(8, `thought${index}`)),
    ]).flat(),
    user('What is next?'),
  );

/** What stays in memory, and a conversation with which the archive has something to do: with the second, most of it leaves memory. */
const kinds = {
  all: { contextWindow: 2_000, turns: turnsOf(5, 20), most: 2 },
  archive: { contextWindow: 200, turns: turnsOf(12, 90), most: 22 },
} as const;
type Memory = keyof typeof kinds & ManagerOptions['memory'];

/** The simplest archive that keeps the contract. */
class Model {
  readonly kept = new Map<number, ArchivedMessage>();
  /** What was last said under each number. */
  readonly said = new Map<number, Message>();
  /** The most messages that were not in memory. */
  mostGone = 0;

  archive(awaits: Awaits): Archive {
    return {
      put: async () => {},
      get: async () => [],
      originals: awaits.wrap('originals', async (_: string, first: number, last: number) =>
        [...this.kept.values()].flatMap(({ number, original }) =>
          number >= first && number <= last && original !== undefined ? [original] : [],
        ),
      ),
      search: awaits.wrap('search', async () => []),
      close: async () => {},
      keep: awaits.wrap('keep', async (_: string, messages: readonly ArchivedMessage[]) => {
        for (const one of messages)
          if ((this.kept.get(one.number)?.message ?? one.message) !== one.message) throw conflict(one.number);
        for (const one of messages) this.kept.set(one.number, one);
      }),
      forget: awaits.wrap(
        'forget',
        async (_: string, { from = '#m1', to }: { from?: string; to?: string } = {}) => {
          for (const number of this.kept.keys())
            if (number >= numberOf(from) && (to === undefined || number <= numberOf(to)))
              this.kept.delete(number);
        },
      ),
    };
  }
}

const numberOf = (ref: string) => Number(ref.slice('#m'.length));

function conflict(number: number): CtxError {
  const place = `#m${number}`;
  return new CtxError({
    code: 'archive-conflict',
    problem: 'Another text is archived',
    place,
    remedy: 'None.',
  });
}

function managerOn(archive: Archive, memory: Memory, { said }: Model) {
  const { contextWindow, turns } = kinds[memory];
  const manager = createContextManager({
    archive,
    memory,
    counter: wordCounter,
    now: () => 1_000,
    slices: { pause: async () => {} },
    config: { contextWindow, minMessagesToKeep: 1, timeoutMs },
  });
  manager.on('message-append', ({ message: { index, message } }) => said.set(index + 1, message));
  for (const message of [user('Never change the parser.'), ...turns]) manager.append(message);
  return manager;
}

type Manager = ReturnType<typeof managerOn>;

/** Drops or shortens some exchanges that may leave. */
async function compress(manager: Manager, most: number) {
  const outcome = await manager.compress({
    targetTokens: 1,
    strategy: {
      name: 'planned',
      emits: ['drop', 'replace'],
      plan: ({ view }) => {
        const free = [...new Set(view.filter(({ pinned }) => !pinned).map(({ exchange }) => exchange))];
        const leaving = free.slice(0, most);
        const long = view.find(
          ({ message, exchange, verbatim }) =>
            message.role === 'tool' && !leaving.includes(exchange) && !verbatim,
        );
        return {
          edits: [
            ...leaving.map((exchange) => ({
              type: 'drop' as const,
              messages: view.filter((one) => one.exchange === exchange).map(({ id }) => id),
              reason: 'old',
            })),
            ...(long
              ? [{ type: 'replace' as const, message: long.id, part: 0, text: 'cleared', reason: 'old' }]
              : []),
          ],
        };
      },
    },
  });
  expect(outcome.record).toBeDefined();
}

/** True if it was done. What takes messages that have left memory is refused. */
function isDone(act: () => unknown): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if (CtxError.isInstance(error) && ['messages-archived', 'id-unknown'].includes(error.code)) return false;
    throw error;
  }
}

const happenings = {
  nothing: () => {},
  undo: (manager: Manager) => {
    const newest = manager.history.at(-1);
    if (newest !== undefined) isDone(() => manager.undo(newest.id));
  },
  'rewind, and go on otherwise': (manager: Manager) => {
    if (!isDone(() => manager.rewindTo('m1'))) return;
    for (let turns = 0; turns < 3; turns += 1) {
      manager.append(assistant(words(9, `other${turns}`)));
      manager.append(user('And now?'));
    }
  },
};
type Happening = keyof typeof happenings;

/** What a host does, with the archive catching up beside it. */
async function story(awaits: Awaits, manager: Manager, memory: Memory, model: Model) {
  const { most, turns } = kinds[memory];
  const bringBack = async (which: string | undefined) => {
    const { transcriptMessages } = manager.stats();
    model.mostGone = Math.max(model.mostGone, transcriptMessages - manager.transcript.length);
    if (memory === 'archive' && which !== undefined)
      await manager.bringBack(which).catch((error) => expect(error).toBeInstanceOf(Error));
  };
  await compress(manager, most);
  await settle(awaits);
  await manager.find('line').catch((error) => expect(error).toBeInstanceOf(Error));
  await compress(manager, 1);
  manager.append(assistant('Something new.'));
  manager.append(user('Go on.'));
  await settle(awaits);
  await bringBack(manager.history.at(-1)?.id);
  happenings.undo(manager);
  await settle(awaits);
  await bringBack('#m1');
  happenings['rewind, and go on otherwise'](manager);
  if (memory === 'archive') for (const message of turns) manager.append(message);
  await compress(manager, most);
  await settle(awaits);
}

async function settle(awaits: Awaits) {
  for (let turns = 0; turns < 5; turns += 1) await turn();
  if (awaits.strike !== undefined) await jest.advanceTimersByTimeAsync(0);
}

/**
 * The archive holds exactly what the view does not show as it was said. If messages leave memory it also holds what came back, and what is
 * gone can be brought back.
 */
function expectEqual({ kept, said }: Model, manager: Manager, memory: Memory) {
  const shown = new Set(manager.view());
  const { transcriptMessages } = manager.stats();
  const numbers = Array.from({ length: transcriptMessages }, (_, index) => index + 1);
  const outside = numbers.filter((number) => !shown.has(said.get(number) as Message));
  const held = [...kept.keys()].sort((a, b) => a - b);
  expect(memory === 'all' ? held : numbers.filter((number) => kept.has(number))).toEqual(
    memory === 'all' ? outside : held,
  );
  const known = manager.snapshot().archive?.kept ?? [];
  for (const number of outside) {
    expect(kept.get(number)?.message).toEqual(said.get(number));
    expect(known.some(([first, last]) => first <= number && number <= last)).toBe(true);
  }
  const inMemory = new Set(manager.transcript.map(({ index }) => index + 1));
  for (const number of numbers)
    if (!inMemory.has(number)) expect(kept.get(number)?.original?.message).toEqual(said.get(number));
}

async function run(
  memory: Memory,
  strike?: ConstructorParameters<typeof Awaits>[0],
  model = new Model(),
): Promise<readonly SeenCall[]> {
  let manager: Manager | undefined;
  const happens = () => manager && strike?.happens?.call(manager);
  const awaits = new Awaits(strike && { ...strike, happens }, 3 * timeoutMs);
  manager = managerOn(model.archive(awaits), memory, model);
  const failed: unknown[] = [];
  manager.on('archive-fail', ({ error }) => failed.push(error));
  const told = await settled(story(awaits, manager, memory, model));
  if (told.status === 'rejected') throw told.reason;
  if (strike !== undefined) expect(awaits.struck).toBe(true);
  const ways: boolean[] = [];
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const all = await settled(manager.archived());
    if (all.status === 'fulfilled') ways.push(all.value);
    jest.runAllTimers();
    await turn();
  }
  const last = await manager.archived();
  expect([last, manager.warnings.filter((text) => text.includes('archived'))]).toEqual([true, []]);
  expectEqual(model, manager, memory);
  for (const error of failed) expect(error).toBeInstanceOf(Error);
  return [...awaits.seen];
}

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown) => void unhandled.push(reason);

beforeAll(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'Date', 'performance'] });
  process.on('unhandledRejection', onUnhandled);
});
afterAll(() => {
  process.off('unhandledRejection', onUnhandled);
  jest.useRealTimers();
});

test.each([
  ['all', ['keep', 'forget', 'search']],
  ['archive', ['keep', 'forget', 'search', 'originals']],
] as const)(
  "an archive that fails in any way at any moment ends up equal to the view, and stops nothing, with memory: '%s'",
  async (memory, called) => {
    const model = new Model();
    const calls = await run(memory, undefined, model);
    expect(new Set(calls.map(({ kind }) => kind))).toEqual(new Set(called));
    expect(model.mostGone > 10).toBe(memory === 'archive');
    const failures: string[] = [];
    // An archive that says it did what it did not do can't be noticed.
    const oneIn = memory === 'all' || process.env.CTX_EVERY_PAIR === '1' ? 1 : 3;
    const strikes = strikesOf(calls, Object.keys(happenings) as Happening[], { oneIn }).filter(
      ({ fault, moment }) => fault !== 'nothing' || moment === 'answer',
    );
    for (const { happening, ...strike } of strikes) {
      const title = `${strike.at} ${strike.fault} (${strike.moment}), ${happening}`;
      const happens = function (this: Manager) {
        happenings[happening](this);
      };
      await run(memory, { ...strike, happens }).catch((error) => failures.push(`${title}: ${error}`));
      for (const reason of unhandled.splice(0)) failures.push(`${title}: unhandled rejection, ${reason}`);
    }
    expect(strikes.length).toBeGreaterThan(100);
    expect(failures).toEqual([]);
  },
  300_000,
);

test.each<[string, (manager: Manager) => void]>([
  ['nothing', () => {}],
  ['an undo', happenings.undo],
  ['a rewind', happenings['rewind, and go on otherwise']],
])('what arrives long after it was given up is right in the end, after %s', async (_title, happens) => {
  const model = new Model();
  const archive = model.archive(new Awaits(undefined, 0));
  let isSlow = true;
  const slow: Archive = {
    ...archive,
    async keep(...given) {
      if (isSlow) await new Promise((resolve) => setTimeout(resolve, 3 * timeoutMs));
      return archive.keep(...given);
    },
  };
  const manager = managerOn(slow, 'all', model);
  await settled(compress(manager, 2));
  await settle(new Awaits(undefined, 0));
  await jest.advanceTimersByTimeAsync(timeoutMs);
  expect(manager.warnings.join()).toContain('longer than 1000 ms');
  isSlow = false;
  happens(manager);
  await settled(manager.archived());
  await jest.advanceTimersByTimeAsync(3 * timeoutMs);
  await settled(compress(manager, 1));
  expect(await settled(manager.archived())).toEqual({ status: 'fulfilled', value: true });
  expectEqual(model, manager, 'all');
});

test('a removal that arrives long after it was given up takes nothing that has left memory', async () => {
  const model = new Model();
  const archive = model.archive(new Awaits(undefined, 0));
  let isSlow = true;
  const slow: Archive = {
    ...archive,
    async forget(...given) {
      if (isSlow) await new Promise((resolve) => setTimeout(resolve, 3 * timeoutMs));
      return archive.forget(...given);
    },
  };
  const manager = managerOn(slow, 'archive', model);
  const { most, turns } = kinds.archive;
  const gone = () => manager.stats().transcriptMessages - manager.transcript.length;
  await settled(compress(manager, most));
  await settled(manager.archived());
  expect(gone()).toBeGreaterThan(10);
  await settled(manager.bringBack('#m1'));
  manager.rewindTo('m1');
  await settle(new Awaits(undefined, 0));
  await jest.advanceTimersByTimeAsync(timeoutMs);
  expect(manager.warnings.join()).toContain('longer than 1000 ms');
  isSlow = false;
  for (const message of turns) manager.append(message);
  await settled(compress(manager, most));
  expect(await settled(manager.archived())).toEqual({ status: 'fulfilled', value: true });
  expect(gone()).toBe(0);
  await jest.advanceTimersByTimeAsync(3 * timeoutMs);
  expect(await settled(manager.archived())).toEqual({ status: 'fulfilled', value: true });
  expectEqual(model, manager, 'archive');
  expect(gone()).toBeGreaterThan(10);
});
