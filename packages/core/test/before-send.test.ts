import {
  type Config,
  createContainer,
  createContextManager,
  defineStrategy,
  type PlanContext,
  registerStrategy,
} from '@ctx/core';
import { user, wordCounter, words } from '@ctx/testing';

/** Shortens every message that is longer than ten words. */
const shorten = defineStrategy({
  name: 'shorten',
  emits: ['replace'],
  plan: ({ view }: PlanContext) => ({
    edits: view
      .filter(({ verbatim, tokens }) => !verbatim && tokens > 10)
      .map(({ id }) => ({ type: 'replace' as const, message: id, part: 0, text: 'cut', reason: 'long' })),
  }),
});

function managerWith(config: Config = {}) {
  const container = createContainer();
  registerStrategy(container, shorten);
  const overhead = { message: 0, conversation: 0 };
  return createContextManager({
    container,
    counter: wordCounter,
    config: {
      contextWindow: 10_000,
      throttleMs: 0,
      overhead,
      beforeSend: { pipeline: ['shorten'] },
      ...config,
    },
  });
}

test('the stages configured for it run before a send, below the trigger', async () => {
  const manager = managerWith();
  manager.append(user(words(40)));
  manager.append(user('go on'));
  expect((await manager.checkAndCompress()).status).toBe('unchanged');
  const outcome = await manager.checkAndCompress({ beforeSend: true });
  expect(outcome).toMatchObject({ status: 'compressed', reason: 'before a send' });
  expect(manager.view().map(({ content }) => content)).toEqual(['cut', 'go on']);
});

test('if they have nothing to do, the view stays the same and nothing is recorded or announced', async () => {
  const manager = managerWith();
  manager.append(user(words(40)));
  manager.append(user('go on'));
  await manager.checkAndCompress({ beforeSend: true });
  const events: string[] = [];
  manager.on('compression-start', ({ reason }) => void events.push(reason));
  manager.append(user('and on'));
  const before = manager.view();
  expect(await manager.checkAndCompress({ beforeSend: true })).toEqual({
    status: 'unchanged',
    reason: 'below the trigger',
  });
  manager.view().forEach((message, index) => {
    expect(message).toBe(before[index]);
  });
  expect(manager.history).toHaveLength(1);
  expect(events).toEqual([]);
});

test('it waits until it would free at least the configured amount', async () => {
  const manager = managerWith({ beforeSend: { pipeline: ['shorten'], atLeast: 60 } });
  manager.append(user(words(40)));
  manager.append(user('go on'));
  expect((await manager.checkAndCompress({ beforeSend: true })).status).toBe('unchanged');
  manager.append(user(words(40)));
  manager.append(user('go on'));
  expect((await manager.checkAndCompress({ beforeSend: true })).status).toBe('compressed');
  expect(manager.stats().countedTokens).toBeLessThan(10);
});

test('a rule may switch it off', async () => {
  const manager = managerWith({ rules: [{ beforeSend: false }] });
  manager.append(user(words(40)));
  manager.append(user('go on'));
  expect((await manager.checkAndCompress({ beforeSend: true })).status).toBe('unchanged');
});

test('it can be undone, and a snapshot keeps it', async () => {
  const manager = managerWith();
  const long = user(words(40));
  manager.append(long);
  manager.append(user('go on'));
  const { record } = await manager.checkAndCompress({ beforeSend: true });
  expect(record?.stages.map(({ strategy }) => strategy)).toEqual(['shorten']);
  manager.undo(record?.id as string);
  expect(manager.view()[0]).toBe(long);
});

test('an unknown stage name gives an error with its place', () => {
  expect(() => managerWith({ beforeSend: { pipeline: ['shortn'] } })).toThrow(/"shorten"/);
  expect(() => managerWith({ beforeSend: { pipeline: ['shortn'] } })).toThrow(/beforeSend/);
});

test('the cost of reading more than the target keeps adding up across sends', async () => {
  const manager = managerWith({
    prices: {},
    target: { tokens: 100 },
    trigger: { fraction: 0.9, cost: true },
  });
  let sends = 0;
  const reasons: string[] = [];
  manager.on('compression-start', ({ reason }) => void reasons.push(reason));
  while (sends < 60 && !reasons.some((reason) => reason.includes('again and again'))) {
    manager.append(user(words(40)));
    manager.append(user(words(9)));
    await manager.checkAndCompress({ beforeSend: true });
    manager.view();
    sends += 1;
  }
  expect(reasons.filter((reason) => reason === 'before a send').length).toBeGreaterThan(3);
  expect(sends).toBeLessThan(60);
});
