import { assistant, user, wordCounter, words } from '@ctx/testing';
import {
  type CompressionStrategy,
  type ContextEvents,
  ContextManager,
  type ManagerOptions,
  messageText,
} from '../../src/index.js';
import { merge } from '../edits.js';
import { talk } from '../talk.js';

/** A strategy that replaces the oldest messages by a text that arrives when the test says so. */
function slow() {
  const waiting: { write(): void; fail(error: Error): void }[] = [];
  const strategy: CompressionStrategy = {
    name: 'slow',
    emits: ['merge'],
    plan: async ({ view }) => {
      const messages = view.slice(0, 4).map(({ id }) => id);
      await new Promise<void>((write, fail) => {
        waiting.push({ write, fail });
      });
      return { edits: [merge(messages, 'what was said')] };
    },
  };
  return { strategy, waiting };
}

/** Of microtasks, until a strategy plans. */
const mostTurns = 1_000;
const turns = async (count = 30) => {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
};

function setUp(tokensEach = 10, more: Partial<ManagerOptions> = {}) {
  const { strategy, waiting } = slow();
  const options: ManagerOptions = {
    counter: wordCounter,
    slices: { sliceMs: Number.POSITIVE_INFINITY },
    strategies: [strategy],
    config: {
      background: true,
      contextWindow: 100,
      trigger: { tokens: 75 },
      target: { tokens: 60 },
      minMessagesToKeep: 1,
      throttleMs: 0,
      reserve: 0,
      overhead: { message: 0, conversation: 0 },
    },
    ...more,
  };
  const manager = new ContextManager(options);
  for (const message of talk(8, tokensEach)) manager.append(message);
  const told: string[] = [];
  const tell = <Name extends keyof ContextEvents>(
    name: Name,
    say: (event: ContextEvents[Name]) => string = () => '',
  ) => manager.on(name, (event) => told.push(`${name} ${say(event)}`.trim()));
  tell('compression-start');
  tell('compression-end', ({ record }) => record.strategy);
  tell('compression-skip', ({ reason }) => reason);
  tell('compression-fail');
  tell('edit-reject', ({ invariant }) => invariant);
  tell('hint', ({ code }) => code);
  const first = async () => {
    for (let turn = 0; waiting.length === 0 && turn < mostTurns; turn += 1) await Promise.resolve();
    const [one] = waiting.splice(0, 1);
    if (one === undefined) throw new Error('nothing is being written');
    /** The text arrives, and is put in force. */
    const write = () => {
      one.write();
      return turns();
    };
    return { ...one, write };
  };
  return { manager, waiting, told, first, options };
}

/** The same, with a compression that has begun in the background. */
async function begun() {
  const made = setUp();
  await made.manager.checkAndCompress();
  return { ...made, writing: await made.first() };
}
const texts = (manager: ContextManager) => manager.view().map(messageText);

test('a check below HARD returns at once, and the text is put in force when it arrives', async () => {
  const { manager, told, first } = setUp();
  const before = manager.view();
  expect(await manager.checkAndCompress()).toEqual({
    status: 'unchanged',
    reason: 'a compression has started in the background',
  });
  const writing = await first();
  expect(manager.view()).toEqual(before);
  manager.append(user('said meanwhile'));
  await writing.write();
  expect(texts(manager)[0]).toBe('what was said');
  expect(texts(manager).at(-1)).toBe('said meanwhile');
  expect(manager.history).toHaveLength(1);
  expect(told).toEqual(['compression-start', 'compression-end slow']);
});

test('two checks at once start one compression, and later checks say that it runs', async () => {
  const { manager, waiting, first } = setUp();
  const outcomes = await Promise.all([manager.checkAndCompress(), manager.checkAndCompress()]);
  expect(outcomes.map(({ reason }) => reason)).toEqual([
    'a compression has started in the background',
    'a compression runs in the background',
  ]);
  const writing = await first();
  expect((await manager.checkAndCompress({ beforeSend: true })).reason).toBe(
    'a compression runs in the background',
  );
  expect(waiting).toEqual([]);
  await writing.write();
  expect((await manager.checkAndCompress()).reason).toBe('below the trigger');
});

test('at level HARD a check waits for the compression that runs, and does not pay for a second one', async () => {
  const { manager, waiting, writing } = await begun();
  manager.append(assistant(words(16, 'more')));
  let isDone = false;
  const checked = manager.checkAndCompress().finally(() => {
    isDone = true;
  });
  await turns();
  expect(isDone).toBe(false);
  writing.write();
  expect((await checked).reason).toBe('below the trigger');
  expect(waiting).toEqual([]);
  expect(texts(manager)[0]).toBe('what was said');
});

test('at level HARD nothing is begun in the background', async () => {
  const { manager, first } = setUp(12);
  const checked = manager.checkAndCompress();
  (await first()).write();
  expect((await checked).status).toBe('compressed');
});

describe('what no longer fits is dropped, and the event says why:', () => {
  test('a message that it replaces was removed', async () => {
    const { manager, told, writing } = await begun();
    manager.rewindTo(manager.transcript[1]?.id as string);
    for (const message of talk(8, 9).slice(2)) manager.append(message);
    const view = manager.view();
    await writing.write();
    expect(manager.view()).toEqual(view);
    expect(manager.history).toEqual([]);
    expect(told.at(-1)).toMatch(/^compression-skip the conversation changed while it was compressed: /);
  });

  test('a message that it replaces was pinned', async () => {
    const { manager, told, writing } = await begun();
    manager.pin(manager.transcript[2]?.id as string);
    const view = manager.view();
    await writing.write();
    expect(manager.view()).toEqual(view);
    expect(told).toContain('edit-reject pinned-stays');
  });

  test('but going back to a later message changes nothing for it', async () => {
    const { manager, told, writing } = await begun();
    manager.rewindTo(manager.transcript[6]?.id as string);
    await writing.write();
    expect(texts(manager)).toHaveLength(4);
    expect(told.at(-1)).toBe('compression-end slow');
  });
});

test('a failure costs only its stage, and the next check begins again', async () => {
  const { manager, told, first } = setUp();
  await manager.checkAndCompress();
  (await first()).fail(new Error('connection lost'));
  await turns();
  expect(told).toEqual(['compression-start', 'compression-fail', 'compression-skip no stage made progress']);
  manager.append(assistant('and on'));
  expect((await manager.checkAndCompress()).reason).toBe('a compression has started in the background');
  await (await first()).write();
  expect(texts(manager)[0]).toBe('what was said');
});

test('the signal of the check that began it stops it later', async () => {
  const { manager, told, first } = setUp();
  const controller = new AbortController();
  await manager.checkAndCompress({ signal: controller.signal });
  const view = manager.view();
  const writing = await first();
  controller.abort();
  await turns();
  await writing.write();
  expect(manager.view()).toEqual(view);
  expect(told).toEqual(['compression-start', 'compression-fail']);
  await manager.checkAndCompress();
  await (await first()).write();
  expect(texts(manager)[0]).toBe('what was said');
});

test('a signal that aborts before it has begun starts nothing', async () => {
  const { manager, waiting } = setUp();
  const controller = new AbortController();
  const checked = manager.checkAndCompress({ signal: controller.signal });
  controller.abort();
  await checked;
  await turns();
  expect(waiting).toEqual([]);
  expect(manager.history).toEqual([]);
});

test('recover does not wait for it', async () => {
  const { manager, first } = setUp();
  await manager.checkAndCompress();
  const abandoned = await first();
  const recovered = manager.recover({ status: 400, code: 'context_length_exceeded' });
  (await first()).write();
  expect((await recovered).record?.strategy).toBe('slow');
  const view = manager.view();
  await abandoned.write();
  expect(manager.view()).toEqual(view);
});
