import { assistant, user, wordCounter, words } from '@ctx/testing';
import { ContextManager } from '../../src/index.js';
import type { BeforeCompress } from '../../src/manager/before-compress.js';
import { hanging, wait } from '../compress/held-time.js';
import { drop, planning } from '../edits.js';
import { heard } from '../heard.js';

const overflow = { status: 400, code: 'context_length_exceeded' };
const drops = (name: string) => ({ ...planning(drop('m1'), drop('m2')), name });
const setUp = (beforeCompress: BeforeCompress, tokens = 95) => {
  const manager = new ContextManager({
    wait,
    counter: wordCounter,
    strategies: [drops('configured')],
    beforeCompress,
    config: {
      contextWindow: 100,
      minMessagesToKeep: 1,
      timeoutMs: 50,
      throttleMs: 0,
      overhead: { message: 0, conversation: 0 },
    },
  });
  for (const message of [user('go'), assistant(words(tokens)), user('on')]) manager.append(message);
  const failed = heard(manager, 'listener-fail', (event) => event);
  return { manager, failed };
};

test('is told what is about to happen, and nothing returned means that it happens', async () => {
  const asked = jest.fn();
  const { manager } = setUp(asked);
  expect(await manager.checkAndCompress()).toMatchObject({ status: 'compressed' });
  const reason = expect.stringContaining('tokens');
  const figures = { tokens: expect.any(Number), targetTokens: expect.any(Number), contextWindow: 100 };
  expect(asked.mock.calls).toEqual([[{ reason, ...figures, pipeline: ['configured'] }]]);
});

test('a veto stops a compression, and the outcome says why', async () => {
  const { manager } = setUp(async () => ({ veto: 'in the middle of a commit' }));
  const view = manager.view();
  expect(await manager.checkAndCompress()).toEqual({
    status: 'unchanged',
    reason: 'vetoed: in the middle of a commit',
  });
  expect(manager.view()).toEqual(view);
});

test('where the view is larger than the window, a veto leaves the last resort only', async () => {
  const { manager } = setUp(() => ({ veto: 'never' }), 300);
  expect((await manager.checkAndCompress()).record?.strategy).toBe('last-resort');
});

test('other strategies run in place of the pipeline', async () => {
  const { manager } = setUp(() => ({ strategies: [drops('own')] }));
  expect((await manager.checkAndCompress()).record?.strategy).toBe('own');
});

test('is asked by recover too, and not for a compression by hand or below the trigger', async () => {
  const asked = jest.fn();
  const { manager } = setUp(asked, 50);
  await manager.checkAndCompress();
  expect(asked).not.toHaveBeenCalled();
  await manager.recover(overflow);
  expect(asked).toHaveBeenCalledTimes(1);
  await manager.compress();
  expect(asked).toHaveBeenCalledTimes(1);
});

test('a recovery that was vetoed is not counted among the three in a row', async () => {
  const { manager } = setUp(() => ({ veto: 'later' }), 50);
  for (let time = 0; time < 5; time += 1)
    expect((await manager.recover(overflow)).reason).toBe('vetoed: later');
});

test.each<[string, BeforeCompress]>([
  [
    'throws',
    () => {
      throw new Error('no');
    },
  ],
  ['rejects', async () => Promise.reject(new Error('no'))],
  ['never answers', hanging],
  ['answers something else', () => ({ vetoed: true }) as never],
  ['gives what is no strategy', () => ({ strategies: [{}] }) as never],
])('a hook that %s changes nothing, and an event tells of it', async (_, hook) => {
  const { manager, failed } = setUp(hook);
  expect(await manager.checkAndCompress()).toMatchObject({ status: 'compressed' });
  expect(failed).toMatchObject([{ event: 'beforeCompress' }]);
});
