import {
  CtxError,
  compressMessages,
  defineStrategy,
  finish,
  inSlices,
  type PlanContext,
  type Steps,
} from '@ctx/core';
import { transcript, user, VirtualTime, wordCounter, words } from '@ctx/testing';
import fc from 'fast-check';
import { slicer } from '../../src/base/slices.js';
import { drop } from '../edits.js';

type SliceOptions = NonNullable<Parameters<typeof slicer>[0]>;

/** A clock that every step moves by the ms it takes, and the places where the work paused. */
function watched(sliceMs?: number) {
  const log: string[] = [];
  let now = 1_000;
  const options: SliceOptions = {
    sliceMs,
    clock: () => now,
    pause: async () => {
      log.push('pause');
    },
  };
  function* work(name: string, durations: readonly number[]): Steps<string> {
    for (const [step, ms] of durations.entries()) {
      if (step > 0) yield;
      now += ms;
      log.push(`${name}${step}`);
    }
    return name;
  }
  return { log, options, work };
}

function* sumOf(numbers: readonly number[]): Steps<number> {
  let sum = 0;
  for (const number of numbers) {
    sum = sum * 31 + number;
    yield;
  }
  return sum;
}

test('the result is the same with and without slices', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.integer()), fc.constantFrom(0, 1, 8, Infinity), async (numbers, sliceMs) => {
      expect(await inSlices(sumOf(numbers), { sliceMs })).toBe(finish(sumOf(numbers)));
    }),
  ));

test('steps run in order, and a pause follows those that used a slice up', async () => {
  const { log, options, work } = watched(8);
  await inSlices(work('a', [3, 4, 2, 20, 1, 1]), options);
  expect(log).toEqual(['a0', 'a1', 'a2', 'pause', 'a3', 'pause', 'a4', 'a5']);
});

test('a slice has 8 ms if nothing else is said, and no end if it is infinite', async () => {
  const usual = watched();
  await inSlices(usual.work('a', [7, 1, 1]), usual.options);
  expect(usual.log).toEqual(['a0', 'a1', 'pause', 'a2']);
  const endless = watched(Infinity);
  await inSlices(endless.work('a', Array(500).fill(0)), endless.options);
  expect(endless.log).not.toContain('pause');
});

test('works that share a slicer share their slices', async () => {
  const { log, options, work } = watched(8);
  const run = slicer(options);
  await run(work('a', [5, 0]));
  await run(work('b', [5, 0]));
  expect(log).toEqual(['a0', 'a1', 'b0', 'pause', 'b1']);
});

test('while the clock stands still, steps are counted', async () => {
  const { log, options, work } = watched(8);
  await inSlices(work('a', Array(250).fill(0)), options);
  expect(log.filter((one) => one === 'pause')).toHaveLength(2);
});

test('by default the event loop turns: timers run between slices', async () => {
  let isOver = false;
  let steps = 0;
  setTimeout(() => {
    isOver = true;
  }, 0);
  function* untilOver(): Steps<void> {
    while (!isOver && steps < 1_000_000) {
      steps += 1;
      yield;
    }
  }
  await inSlices(untilOver(), { sliceMs: 0 });
  expect(isOver).toBe(true);
});

test('the caller aborts between slices: the work stops, and releases what it holds', async () => {
  const controller = new AbortController();
  const log: string[] = [];
  function* work(): Steps<void> {
    try {
      for (let step = 0; step < 10; step += 1) {
        log.push(`${step}`);
        if (step === 2) controller.abort(new Error('enough'));
        yield;
      }
    } finally {
      log.push('released');
    }
  }
  const error = await inSlices(work(), { sliceMs: 0, signal: controller.signal }).catch((one) => one);
  expect(CtxError.isInstance(error) && error.code).toBe('aborted');
  expect(error.cause).toEqual(new Error('enough'));
  expect(log).toEqual(['0', '1', '2', 'released']);
  const late = await inSlices(work(), { signal: controller.signal }).catch((one) => one);
  expect(late.code).toBe('aborted');
  expect(log).toHaveLength(4);
});

test.each([
  () => Promise.reject(new Error('no pause')),
  () => {
    throw new Error('no pause');
  },
  () => undefined,
])('work goes on if a pause fails', async (pause) => {
  expect(await inSlices(sumOf([1, 2, 3]), { sliceMs: 0, pause })).toBe(finish(sumOf([1, 2, 3])));
});

test('a stage that takes too long stops between slices', async () => {
  const messages = transcript(user(words(20)), user(words(20, 'b')), user('why?'));
  const seen: number[] = [];
  function* work(): Steps<string> {
    for (;;) {
      seen.push(seen.length);
      yield;
    }
  }
  const endless = defineStrategy({
    name: 'endless',
    emits: ['drop'],
    plan: async ({ inSlices: run }: PlanContext) => ({ edits: [drop(await run(work()))] }),
  });
  const time = new VirtualTime();
  const { stages } = await compressMessages(messages, {
    targetTokens: 22,
    strategy: endless,
    counter: wordCounter,
    config: { timeoutMs: 20, minMessagesToKeep: 3 },
    wait: time.wait,
    slices: { sliceMs: 0, pause: () => seen.length === 5 && time.pass(20) },
  });
  expect(stages?.[0]?.error).toContain('The work took longer than 20 ms');
  await new Promise(setImmediate);
  expect(seen).toHaveLength(5);
});
