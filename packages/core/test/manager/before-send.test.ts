import { type Config, createContainer, registerStrategy } from '@ctx/core';
import { assistant, managerOf, user, words } from '@ctx/testing';
import { drop, planner, planning, replace } from '../edits.js';
import { heard } from '../heard.js';
import { restored } from '../restored.js';

/** Shortens every message that is longer than ten words. */
const shorten = planner('shorten', ({ view }) =>
  view.filter(({ verbatim, tokens }) => !verbatim && tokens > 10).map(({ id }) => replace(id, 'cut')),
);

const turn = [user(words(40)), assistant('done'), user('and now?')];

function managerWith(config: Config = {}, messages = turn) {
  const own = { contextWindow: 10_000, beforeSend: { pipeline: ['shorten'] }, ...config };
  const container = createContainer();
  registerStrategy(container, shorten);
  return managerOf(messages, { container, minMessagesToKeep: 4, config: own });
}

test('the stages configured for it run before a send, below the trigger', async () => {
  const manager = managerWith();
  expect((await manager.checkAndCompress()).status).toBe('unchanged');
  const outcome = await manager.checkAndCompress({ beforeSend: true });
  expect(outcome).toMatchObject({ status: 'compressed', reason: 'before a send' });
  expect(manager.view().map(({ content }) => content)).toEqual(['cut', 'done', 'and now?']);
  manager.undo(outcome.record?.id as string);
  expect(manager.view()[0]).toBe(turn[0]);
});

test('if they have nothing to do, the view stays the same and nothing is recorded or announced', async () => {
  const manager = managerWith();
  await manager.checkAndCompress({ beforeSend: true });
  const events = heard(manager, 'compression-start', ({ reason }) => reason);
  manager.append(user('and on'));
  const before = manager.view();
  expect(await manager.checkAndCompress({ beforeSend: true })).toEqual({
    status: 'unchanged',
    reason: 'below the trigger',
  });
  manager.view().forEach((message, index) => {
    expect(message).toBe(before[index]);
  });
  expect(manager.simplifications).toHaveLength(1);
  expect(events).toEqual([]);
});

test('it waits until it would free at least the configured amount', async () => {
  const manager = managerWith({ beforeSend: { pipeline: ['shorten'], atLeast: 60 } });
  expect((await manager.checkAndCompress({ beforeSend: true })).status).toBe('unchanged');
  for (const message of turn) manager.append(message);
  expect((await manager.checkAndCompress({ beforeSend: true })).status).toBe('compressed');
  expect(manager.stats().countedTokens).toBeLessThan(10);
});

test('a rule may switch it off', async () => {
  const manager = managerWith({ rules: [{ beforeSend: false }] });
  expect((await manager.checkAndCompress({ beforeSend: true })).status).toBe('unchanged');
});

test('an unknown stage name gives an error with its place', () => {
  expect(() => managerWith({ beforeSend: { pipeline: ['shortn'] } })).toThrow(/"shorten"/);
  expect(() => managerWith({ beforeSend: { pipeline: ['shortn'] } })).toThrow(/beforeSend/);
});

test('the cost of reading more than the target keeps adding up across sends', async () => {
  const trigger = { fraction: 0.9, cost: true };
  const manager = managerWith({ prices: {}, target: { tokens: 100 }, trigger }, []);
  let sends = 0;
  const reasons = heard(manager, 'compression-start', ({ reason }) => reason);
  while (sends < 60 && !reasons.some((reason) => reason.includes('again and again'))) {
    manager.append(user(words(40)));
    manager.append(assistant('ok'));
    manager.append(user(words(9)));
    await manager.checkAndCompress({ beforeSend: true });
    manager.view();
    sends += 1;
  }
  expect(reasons.filter((reason) => reason === 'before a send').length).toBeGreaterThan(3);
  expect(sends).toBeLessThan(60);
});

test('what is shortened before a send pushes no compression out of the history, and both can be undone', async () => {
  const manager = managerWith({ historySize: 2 }, [user(words(9, 'task'))]);
  const compress = () =>
    manager.compress({ strategy: planning(drop(manager.transcript.at(-2)?.id ?? '')), targetTokens: 0 });
  const send = async () => {
    manager.append(assistant(words(40)));
    manager.append(user('go on'));
    return (await manager.checkAndCompress({ beforeSend: true })).record;
  };
  const compressed: unknown[] = [];
  for (let at = 0; at < 3; at += 1) {
    await send();
    compressed.push((await compress()).record);
  }
  const sent = [await send(), await send(), await send()];
  expect(manager.history).toEqual(compressed.slice(1));
  expect(manager.history).toHaveLength(manager.stats().historyCount);
  expect(manager.simplifications).toEqual(sent.slice(1));
  const other = restored(manager, { config: { historySize: 2 } });
  expect(other.history).toEqual(manager.history);
  expect(other.simplifications).toEqual(manager.simplifications);
  const [last, newest] = [manager.history.at(-1)?.id as string, sent[2]?.id as string];
  expect(manager.undo(newest)).toEqual([newest]);
  expect(manager.undo(last)).toContain(last);
  expect(manager.history).toEqual(compressed.slice(1, 2));
});

test('what is shortened before a send counts as no compression, in no figure', async () => {
  const manager = managerWith();
  await manager.checkAndCompress({ beforeSend: true });
  expect(manager.simplifications).toHaveLength(1);
  expect(manager.stats()).toMatchObject({ compressions: 0, tokensRemoved: 0, lastCompressedAt: undefined });
  manager.append(user(words(50)));
  manager.append(assistant('done'));
  manager.append(user('and on'));
  const { record } = await manager.compress({ strategy: 'shorten', targetTokens: 0 });
  expect(record?.beforeSend).toBeUndefined();
  expect(manager.stats()).toMatchObject({ compressions: 1, cost: record?.cost });
});

describe('before the first answer', () => {
  const files = [user(`first ${words(300)}`), user(`second ${words(300)}`), user('Compare them.')];
  const shortens = planning(drop('m1'), replace('m2', 'second, cut'));
  const managerWith = (contextWindow: number) =>
    managerOf(files, {
      strategies: [shortens],
      config: { contextWindow, reserve: 100, trigger: { fraction: 0.5 } },
    });

  test.each([true, false])('everything is unread, and stays word for word if it fits', async (beforeSend) => {
    const manager = managerWith(800);
    expect(manager.willCompress()).toBe(true);
    const outcome = await manager.checkAndCompress({ beforeSend });
    expect(outcome).toMatchObject({ status: 'unchanged' });
    expect(manager.view()).toEqual(files);
    manager.append(assistant('They differ.'));
    manager.append(user('How?'));
    expect((await manager.checkAndCompress({ beforeSend })).status).toBe('compressed');
  });

  test('a compression by hand takes it all the same', async () => {
    const manager = managerWith(800);
    expect((await manager.compress()).status).toBe('compressed');
    expect(manager.view()).toHaveLength(2);
  });

  test.each([true, false])(
    'what does not fit is cut by the least, never dropped, and the record says so',
    async (beforeSend) => {
      const manager = managerWith(500);
      const { record } = await manager.checkAndCompress({ beforeSend });
      expect(record?.relaxed).toBeDefined();
      expect(manager.view()).toHaveLength(3);
      expect(manager.view().at(-1)).toBe(files[2]);
      expect(manager.stats().currentTokens).toBeLessThanOrEqual(500);
    },
  );
});
