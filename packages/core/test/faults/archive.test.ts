import { type Archive, type ArchivedMessage, ContextManager, CtxError, type Message } from '@ctx/core';
import { Awaits, type SeenCall, settled, strikesOf, turn } from '@ctx/servers';
import { assistant, call, result, transcript, user, wordCounter, words } from '@ctx/testing';
import { drop, replace } from '../edits.js';
import { heard } from '../heard.js';
import { standingTimers } from './standing-timers.js';

const timeoutMs = 1_000;

const turns: readonly Message[] = transcript(
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
  /** What was last said under each number. */
  readonly said = new Map<number, Message>();

  archive(awaits: Awaits): Archive {
    return {
      put: async () => {},
      get: async () => [],
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

function managerOn(archive: Archive, { said }: Model) {
  const manager = new ContextManager({
    archive,
    counter: wordCounter,
    now: () => 1_000,
    slices: { pause: async () => {} },
    config: { contextWindow: 2_000, minMessagesToKeep: 1, timeoutMs, arrivals: { over: 200, to: 100 } },
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
        const drops = leaving.map((exchange) =>
          drop(...view.filter((one) => one.exchange === exchange).map(({ id }) => id)),
        );
        return { edits: [...drops, ...(long ? [replace(long.id, 'cleared')] : [])] };
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
async function story(awaits: Awaits, manager: Manager, { kept }: Model) {
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
  for (const message of transcript(call('large', 'read'), result('large', words(300, 'large\n'))))
    manager.append(message);
  await manager.checkAndCompress({ beforeSend: true });
  for (const { index, excerpt } of manager.transcript)
    if (excerpt !== undefined) expect(kept.has(index + 1)).toBe(true);
  await settle(awaits);
}

async function settle(awaits: Awaits) {
  for (let turns = 0; turns < 5; turns += 1) await turn();
  if (awaits.strike !== undefined) await jest.advanceTimersByTimeAsync(0);
}

/** The archive has the transcript from its beginning on to the last message that the view does not show as it was said, and nothing else. */
function expectEqual({ kept, said }: Model, manager: Manager) {
  const shown = new Set(manager.view());
  const outside = manager.transcript.filter(({ message }) => !shown.has(message));
  const written = manager.snapshot().archive?.written ?? 0;
  for (let number = 1; number <= written; number += 1) expect(kept.has(number)).toBe(true);
  for (const [number, { message }] of kept) {
    expect(number).toBeLessThanOrEqual(manager.transcript.length);
    expect(message).toEqual(said.get(number));
  }
  expect(written).toBeGreaterThanOrEqual(Math.max(0, ...outside.map(({ index }) => index + 1)));
  expect(written).toBeLessThanOrEqual(manager.transcript.length);
}

async function run(
  strike?: ConstructorParameters<typeof Awaits>[0],
  model = new Model(),
): Promise<readonly SeenCall[]> {
  let manager: Manager | undefined;
  const happens = () => manager && strike?.happens?.call(manager);
  const awaits = new Awaits(strike && { ...strike, happens }, 3 * timeoutMs);
  manager = managerOn(model.archive(awaits), model);
  const failed = heard(manager, 'archive-fail', ({ error }) => error);
  const told = await settled(story(awaits, manager, model));
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

/** The archive of a model, whose calls of this kind take long while it is slow. */
function slowly(kind: 'keep' | 'forget', late = 3 * timeoutMs) {
  const model = new Model();
  const archive = model.archive(new Awaits(undefined, 0));
  const state = { isSlow: true };
  const call = async (...given: never[]) => {
    if (state.isSlow) await new Promise((resolve) => setTimeout(resolve, late));
    return (archive[kind] as (...given: never[]) => Promise<void>)(...given);
  };
  return { model, state, manager: managerOn({ ...archive, [kind]: call }, model) };
}

const isCaughtUp = { status: 'fulfilled', value: true };

const unhandled = standingTimers();

test('an archive that fails in any way at any moment ends up with what was said, and stops nothing', async () => {
  const calls = await run();
  expect(new Set(calls.map(({ kind }) => kind))).toEqual(new Set(['keep', 'forget', 'search']));
  const failures: string[] = [];
  // An archive that says it did what it did not do can't be noticed.
  const strikes = strikesOf(calls, Object.keys(happenings) as Happening[], { oneIn: 1 }).filter(
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
  expect(strikes.length).toBeGreaterThan(50);
  expect(failures).toEqual([]);
}, 300_000);

test.each<[string, (manager: Manager) => void]>([
  ['nothing', () => {}],
  ['an undo', happenings.undo],
  ['a rewind', happenings['rewind, and go on otherwise']],
])('what arrives long after it was given up is right in the end, after %s', async (_title, happens) => {
  const { model, state, manager } = slowly('keep');
  await settled(compress(manager, 2));
  await settle(new Awaits(undefined, 0));
  await jest.advanceTimersByTimeAsync(timeoutMs);
  expect(manager.warnings.join()).toContain('longer than 1000 ms');
  state.isSlow = false;
  happens(manager);
  await settled(manager.archived());
  await jest.advanceTimersByTimeAsync(3 * timeoutMs);
  await settled(compress(manager, 1));
  expect(await settled(manager.archived())).toEqual(isCaughtUp);
  expectEqual(model, manager);
});

test('a removal that arrives long after it was given up leaves nothing out', async () => {
  const { model, state, manager } = slowly('forget');
  await settled(compress(manager, 2));
  await settled(manager.archived());
  manager.rewindTo('m1');
  await settle(new Awaits(undefined, 0));
  await jest.advanceTimersByTimeAsync(timeoutMs);
  expect(manager.warnings.join()).toContain('longer than 1000 ms');
  state.isSlow = false;
  for (const message of turns) manager.append(message);
  await settled(compress(manager, 2));
  expect(await settled(manager.archived())).toEqual(isCaughtUp);
  expectEqual(model, manager);
  await jest.advanceTimersByTimeAsync(3 * timeoutMs);
  expect(await settled(manager.archived())).toEqual(isCaughtUp);
  expectEqual(model, manager);
});

test('an archive that slowly does what it is told is caught up with', async () => {
  const { model, manager } = slowly('keep', 2 * timeoutMs);
  await settled(compress(manager, 2));
  await settle(new Awaits(undefined, 0));
  for (let calls = 0; calls < 5; calls += 1) await jest.advanceTimersByTimeAsync(2 * timeoutMs);
  expectEqual(model, manager);
  expect(manager.warnings.filter((text) => text.includes('archived'))).toEqual([]);
});

test('an archive that has lost everything gets all of it again', async () => {
  const model = new Model();
  const archive = model.archive(new Awaits(undefined, 0));
  let isLost = false;
  const search: Archive['search'] = async () => {
    if (!isLost) return [];
    isLost = false;
    model.kept.clear();
    throw new CtxError({
      code: 'archive-corrupt',
      problem: 'It is damaged',
      place: 'archive',
      remedy: 'None.',
    });
  };
  const manager = managerOn({ ...archive, search }, model);
  await settled(compress(manager, 2));
  await settled(manager.archived());
  const before = [...model.kept.keys()];
  expect(before.length).toBeGreaterThan(3);
  isLost = true;
  expect(await settled(manager.find('line'))).toMatchObject({
    status: 'rejected',
    reason: { code: 'archive-corrupt' },
  });
  expect(await settled(manager.archived())).toEqual(isCaughtUp);
  expect([...model.kept.keys()]).toEqual(before);
  expectEqual(model, manager);
});
