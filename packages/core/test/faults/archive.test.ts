import { type Archive, type ArchivedMessage, CtxError, createContextManager, type Message } from '@ctx/core';
import {
  Awaits,
  assistant,
  call,
  result,
  type SeenCall,
  settled,
  strikesOf,
  transcript,
  turn,
  user,
  wordCounter,
  words,
} from '@ctx/testing';

const timeoutMs = 1_000;

const said: readonly Message[] = transcript(
  user('Never change the parser.'),
  ...Array.from({ length: 5 }, (_, index) => [
    call(`c${index}`, 'read', { path: `src/file-${index}.ts` }),
    result(`c${index}`, words(20, `line${index}`)),
    assistant(words(8, `thought${index}`)),
  ]).flat(),
  user('What is next?'),
);

/** The simplest archive that keeps the contract. */
class Model {
  readonly kept = new Map<number, ArchivedMessage>();

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

function managerOn(archive: Archive) {
  const manager = createContextManager({
    archive,
    counter: wordCounter,
    now: () => 1_000,
    slices: { pause: async () => {} },
    config: { contextWindow: 2_000, minMessagesToKeep: 1, timeoutMs },
  });
  for (const message of said) manager.append(message);
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

const happenings = {
  nothing: () => {},
  undo: (manager: Manager) => {
    const newest = manager.history.at(-1);
    if (newest !== undefined) manager.undo(newest.id);
  },
  'rewind, and go on otherwise': (manager: Manager) => {
    manager.rewindTo('m1');
    for (let turns = 0; turns < 3; turns += 1) {
      manager.append(assistant(words(9, `other${turns}`)));
      manager.append(user('And now?'));
    }
  },
};
type Happening = keyof typeof happenings;

/** What a host does, with the archive catching up beside it. */
async function story(awaits: Awaits, manager: Manager) {
  await compress(manager, 2);
  await settle(awaits);
  await manager.find('line').catch((error) => expect(error).toBeInstanceOf(Error));
  await compress(manager, 1);
  manager.append(assistant('Something new.'));
  manager.append(user('Go on.'));
  await settle(awaits);
  happenings.undo(manager);
  await settle(awaits);
  happenings['rewind, and go on otherwise'](manager);
  await compress(manager, 2);
  await settle(awaits);
}

async function settle(awaits: Awaits) {
  for (let turns = 0; turns < 5; turns += 1) await turn();
  if (awaits.strike !== undefined) await jest.advanceTimersByTimeAsync(0);
}

/** The archive holds exactly what the view does not show as it was said. */
function expectEqual({ kept }: Model, manager: Manager) {
  const shown = new Set(manager.view());
  const outside = manager.transcript.filter(({ message }) => !shown.has(message));
  expect([...kept.keys()].sort((a, b) => a - b)).toEqual(outside.map(({ index }) => index + 1));
  for (const { index, message } of outside) expect(kept.get(index + 1)?.message).toBe(message);
}

async function run(strike?: ConstructorParameters<typeof Awaits>[0]): Promise<readonly SeenCall[]> {
  const model = new Model();
  let manager: Manager | undefined;
  const happens = () => manager && strike?.happens?.call(manager);
  const awaits = new Awaits(strike && { ...strike, happens }, 3 * timeoutMs);
  manager = managerOn(model.archive(awaits));
  const failed: unknown[] = [];
  manager.on('archive-fail', ({ error }) => failed.push(error));
  const told = await settled(story(awaits, manager));
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
  expectEqual(model, manager);
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

test('an archive that fails in any way at any moment ends up equal to the view, and stops nothing', async () => {
  const calls = await run();
  expect(new Set(calls.map(({ kind }) => kind))).toEqual(new Set(['keep', 'forget', 'search']));
  const failures: string[] = [];
  // An archive that says it did what it did not do can't be noticed.
  const strikes = strikesOf(calls, Object.keys(happenings) as Happening[]).filter(
    ({ fault, moment }) => fault !== 'nothing' || moment === 'answer',
  );
  for (const { happening, ...strike } of strikes) {
    const title = `${strike.at} ${strike.fault} (${strike.moment}), ${happening}`;
    const happens = function (this: Manager) {
      happenings[happening](this);
    };
    await run({ ...strike, happens }).catch((error) => failures.push(`${title}: ${error}`));
    for (const reason of unhandled.splice(0)) failures.push(`${title}: unhandled rejection, ${reason}`);
  }
  expect(strikes.length).toBeGreaterThan(100);
  expect(failures).toEqual([]);
}, 300_000);

test.each<[string, (manager: Manager) => void]>([
  ['nothing', () => {}],
  ['an undo', happenings.undo],
  ['a rewind', happenings['rewind, and go on otherwise']],
])('what arrives long after it was given up is right in the end, after %s', async (_title, happens) => {
  const model = new Model();
  const archive = model.archive(new Awaits(undefined, 0));
  let isSlow = true;
  const manager = managerOn({
    ...archive,
    async keep(...given) {
      if (isSlow) await new Promise((resolve) => setTimeout(resolve, 3 * timeoutMs));
      return archive.keep(...given);
    },
  });
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
  expectEqual(model, manager);
});
