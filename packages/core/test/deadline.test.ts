import { CtxError } from '@ctx/core';
import { startDeadline } from '../src/base/deadline.js';

async function deadline<T>(
  task: (signal: AbortSignal) => T | Promise<T>,
  limits: Parameters<typeof startDeadline>[0],
): Promise<T> {
  const started = startDeadline(limits);
  try {
    return await started.run(task);
  } finally {
    started.end();
  }
}

const codeOf = (task: Promise<unknown>) =>
  task.then(
    () => 'done',
    (error) => (CtxError.isInstance(error) ? error.code : error),
  );
const never = new Promise<never>(() => undefined);

test('a task that finishes in time gives its value, synchronous or not', async () => {
  expect(await deadline(() => 7, { timeoutMs: 1_000 })).toBe(7);
  expect(await deadline(async () => 7, { timeoutMs: 1_000 })).toBe(7);
});

test('a failing task rejects with its own error', async () => {
  const own = new Error('own');
  expect(await codeOf(deadline(() => Promise.reject(own), { timeoutMs: 1_000 }))).toBe(own);
  const thrown = deadline(
    () => {
      throw own;
    },
    { timeoutMs: 1_000 },
  );
  expect(await codeOf(thrown)).toBe(own);
});

test('a task that takes too long is told to stop and is not waited for', async () => {
  let told: unknown;
  const task = (signal: AbortSignal) => {
    signal.addEventListener('abort', () => {
      told = signal.reason;
    });
    return never;
  };
  expect(await codeOf(deadline(task, { timeoutMs: 5 }))).toBe('timeout');
  expect(CtxError.isInstance(told) && told.code).toBe('timeout');
});

test('a promise of another library is held to the time limit too', async () => {
  // biome-ignore lint/suspicious/noThenProperty: this is what a promise of another library looks like.
  const foreign = { then: () => undefined } as unknown as Promise<never>;
  expect(await codeOf(deadline(() => foreign, { timeoutMs: 5 }))).toBe('timeout');
});

test('a task is told to stop when the caller aborts, and the reason is kept', async () => {
  const controller = new AbortController();
  const reason = new Error('the user left');
  const running = deadline(() => never, { signal: controller.signal, timeoutMs: 60_000 });
  controller.abort(reason);
  const error = await running.catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: 'aborted', cause: reason });
});

test('no task starts if the caller has already aborted', async () => {
  let started = false;
  const task = () => {
    started = true;
  };
  expect(await codeOf(deadline(task, { signal: AbortSignal.abort(), timeoutMs: 1_000 }))).toBe('aborted');
  expect(started).toBe(false);
});

test('tasks share the time, and no task starts once it is up', async () => {
  const shared = startDeadline({ timeoutMs: 5 });
  expect(await shared.run(async () => 7)).toBe(7);
  expect(await codeOf(shared.run(() => never))).toBe('timeout');
  let started = false;
  const late = shared.run(() => {
    started = true;
  });
  expect(await codeOf(late)).toBe('timeout');
  expect(started).toBe(false);
  shared.end();
});
