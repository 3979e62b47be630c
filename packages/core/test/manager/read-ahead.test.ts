import { assistant, user, VirtualTime, wordCounter, words } from '@ctx/testing';
import { type CompressionStrategy, ContextManager, messageText, type Steps } from '../../src/index.js';

const turns = async (count = 50) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
};

/** A manager with a strategy that notes what it does; its target has 20 tokens, its trigger 60. */
function setUp(read: (texts: readonly string[]) => Steps<unknown> = nothing) {
  const time = new VirtualTime();
  const done: string[] = [];
  const strategy: CompressionStrategy = {
    name: 'reader',
    emits: ['drop'],
    plan({ view }) {
      done.push('plan');
      const messages = view.filter(({ pinned }) => !pinned).map(({ id }) => id);
      return { edits: [{ type: 'drop', messages, reason: 'old' }] };
    },
    *read(transcript) {
      const texts = transcript.map(({ message }) => messageText(message));
      done.push(`read ${texts.length}`);
      yield* read(texts);
      done.push(`has read ${texts.length}`);
    },
  };
  const manager = new ContextManager({
    counter: wordCounter,
    slices: { sliceMs: 0 },
    wait: time.wait,
    strategies: [strategy],
    config: {
      contextWindow: 100,
      trigger: { tokens: 60 },
      target: { tokens: 20 },
      minMessagesToKeep: 1,
      throttleMs: 0,
      timeoutMs: 5,
      reserve: 0,
      overhead: { message: 0, conversation: 0 },
    },
  });
  return { manager, done, time };
}

function* nothing(): Steps<void> {}

function* endless(): Steps<void> {
  for (;;) yield;
}

describe('a strategy that can read ahead', () => {
  test('reads what is there after a check that has nothing to do', async () => {
    const { manager, done } = setUp();
    manager.append(user(words(15)));
    manager.append(assistant(words(15)));
    const outcome = await manager.checkAndCompress();
    expect(outcome.reason).toBe('below the trigger');
    await turns();
    expect(done).toEqual(['read 2', 'has read 2']);
  });

  test('reads after the event loop has turned, so that a request that waits for the check is sent before', async () => {
    const { manager, done } = setUp();
    manager.append(user(words(30)));
    await manager.checkAndCompress();
    for (let step = 0; step < 100; step += 1) await undefined;
    expect(done).toEqual([]);
    await turns();
    expect(done).toEqual(['read 1', 'has read 1']);
  });

  test('reads nothing up to the target', async () => {
    const { manager, done } = setUp();
    manager.append(user(words(20)));
    await manager.checkAndCompress();
    await turns();
    expect(done).toEqual([]);
  });

  test('plans only when it has read', async () => {
    const { manager, done } = setUp();
    manager.append(user(words(30)));
    await manager.checkAndCompress();
    for (let index = 0; index < 4; index += 1) manager.append(assistant(words(10)));
    manager.append(user('go'));
    const { record } = await manager.checkAndCompress();
    expect(record?.strategy).toBe('reader');
    expect(done.filter((what) => what !== 'plan')).toEqual(done.slice(0, 2));
    expect(done[1]).toMatch(/^has read/);
    expect(done[2]).toBe('plan');
  });

  test('compresses although it fails to read', async () => {
    const { manager, done } = setUp(() => {
      throw new Error('no memory');
    });
    manager.append(user(words(30)));
    await manager.checkAndCompress();
    await turns();
    manager.append(assistant(words(40)));
    manager.append(user('go'));
    const { record } = await manager.checkAndCompress();
    expect(record?.strategy).toBe('reader');
    expect(done).toEqual(['read 1', 'plan']);
  });

  test('does not hold up a compression for longer than any stage may take', async () => {
    const { manager, done, time } = setUp(endless);
    manager.append(user(words(30)));
    await manager.checkAndCompress();
    manager.append(assistant(words(40)));
    manager.append(user('go'));
    const checked = manager.checkAndCompress();
    await turns();
    expect(done).toEqual(['read 3']);
    time.pass(5);
    const { record } = await checked;
    expect(record?.strategy).toBe('reader');
    expect(done).toEqual(['read 3', 'plan']);
  });
});

test('what strategies go through to read ahead grows with what is new, not with its square', async () => {
  let gone = 0;
  const manager = new ContextManager({
    counter: wordCounter,
    slices: { sliceMs: 0 },
    strategies: [
      {
        name: 'reader',
        emits: [],
        plan: () => ({ edits: [] }),
        *read(transcript) {
          gone += transcript.length;
          yield;
        },
      },
    ],
    config: { contextWindow: 100_000, target: { tokens: 1 }, throttleMs: 0 },
  });
  const goneAfter = async (messages: number) => {
    while (manager.transcript.length < messages) {
      manager.append(manager.transcript.length % 2 === 0 ? user('a') : assistant('b'));
      await manager.checkAndCompress();
    }
    await turns();
    return gone;
  };
  const few = await goneAfter(1_000);
  expect(few).toBeLessThan(300 * 1_000);
  expect((await goneAfter(2_000)) - few).toBeLessThan(300 * 1_000);
});
