import { CtxError } from '@ctx/core';
import { VirtualTime } from '@ctx/testing';
import { type Limits, startDeadline, within } from '../../src/base/deadline.js';

const deadline = <T>(task: (signal: AbortSignal) => T | Promise<T>, limits: Limits) => within(limits, task);

const codeOf = (task: Promise<unknown>) =>
  task.then(
    () => 'done',
    (error) => (CtxError.isInstance(error) ? error.code : error),
  );
/** Ms. Nothing here takes as long. */
const hour = 3_600_000;
const never = new Promise<never>(() => undefined);

test('a task that finishes in time gives its value, synchronous or not', async () => {
  expect(await deadline(() => 7, { timeoutMs: hour })).toBe(7);
  expect(await deadline(async () => 7, { timeoutMs: hour })).toBe(7);
});

test('a task that takes too long is told to stop and is not waited for', async () => {
  let told: unknown;
  const task = (signal: AbortSignal) => {
    signal.addEventListener('abort', () => {
      told = signal.reason;
    });
    return never;
  };
  const time = new VirtualTime();
  const running = codeOf(deadline(task, { timeoutMs: 5, wait: time.wait }));
  time.pass(4);
  expect(told).toBeUndefined();
  time.pass(1);
  expect(await running).toBe('timeout');
  expect(CtxError.isInstance(told) && told.code).toBe('timeout');
});

test('a task is told to stop when the caller aborts, and the reason is kept', async () => {
  const controller = new AbortController();
  const reason = new Error('the user left');
  const running = deadline(() => never, { signal: controller.signal, timeoutMs: hour });
  controller.abort(reason);
  const error = await running.catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: 'aborted', cause: reason });
});

test('no task starts if the caller has already aborted', async () => {
  let started = false;
  const task = () => {
    started = true;
  };
  expect(await codeOf(deadline(task, { signal: AbortSignal.abort(), timeoutMs: hour }))).toBe('aborted');
  expect(started).toBe(false);
});

test('tasks share the time, and no task starts once it is up', async () => {
  const time = new VirtualTime();
  const shared = startDeadline({ timeoutMs: 5, wait: time.wait });
  expect(await shared.run(async () => 7)).toBe(7);
  const running = codeOf(shared.run(() => never));
  time.pass(5);
  expect(await running).toBe('timeout');
  let started = false;
  const late = shared.run(() => {
    started = true;
  });
  expect(await codeOf(late)).toBe('timeout');
  expect(started).toBe(false);
  shared.end();
});

test('a limit that ends is not waited for any more', () => {
  const time = new VirtualTime();
  const ended = startDeadline({ timeoutMs: 5, wait: time.wait });
  expect(time.waits).toEqual([5]);
  ended.end();
  expect(time.waits).toEqual([]);
});

test('without a clock of the host the timer of the runtime ends a task', async () => {
  expect(await codeOf(deadline(() => never, { timeoutMs: 1 }))).toBe('timeout');
});
