import type { CompressionOutcome } from '@ctx/core';
import { Awaits, distinctCalls, type PlannedStrike, settled, strikesOf, turn } from '@ctx/servers';
import type { Snapshot } from '../../src/manager/snapshot.js';
import { type Happening, happenings } from './happenings.js';
import { expectConsistent, expectGoesOn, expectOutcome } from './sound.js';
import { standingTimers } from './standing-timers.js';
import { beginningOf, containerOf, loadingCounter, timeoutMs, World } from './world.js';

let beginning: Snapshot;
beforeAll(async () => {
  beginning = await beginningOf();
});
standingTimers();

/**
 * Two managers with one counter and one container compress at the same time. Anything else happens only to the first.
 */
async function runBoth(planned?: PlannedStrike<Happening>) {
  const happens = () => planned && happenings[planned.happening](worlds[0]);
  const awaits = new Awaits(planned && { ...planned, happens }, 3 * timeoutMs);
  const shared = { counter: loadingCounter(awaits), container: containerOf(awaits) };
  const worlds = [new World(awaits, beginning, shared), new World(awaits, beginning, shared)] as const;
  const tasks = worlds.map(({ manager, controller }) =>
    manager.checkAndCompress({ signal: controller.signal }),
  );
  const come: PromiseSettledResult<CompressionOutcome>[] = [];
  for (const task of tasks) come.push(await settled(task));
  for (const begun of worlds[0].begun) await settled(begun);
  const seen = [...awaits.seen];
  jest.runAllTimers();
  await turn();
  expect(jest.getTimerCount()).toBe(0);
  worlds.forEach((world, at) => {
    expectOutcome(come[at] as PromiseSettledResult<CompressionOutcome>, world, planned);
    expectConsistent(world);
  });
  expect(worlds[1].said).toHaveLength(beginning.messages.length);
  for (const world of worlds) await expectGoesOn(world);
  return seen;
}

test('managers that share a counter and a container do not share a fault', async () => {
  const calls = distinctCalls(await runBoth()).filter(({ kind }) => !kind.startsWith('listener'));
  expect(calls.length).toBeGreaterThan(8);
  const strikes = strikesOf(calls, ['nothing', 'rewind far', 'the caller aborts'] as const, {
    isWaitedFor: ({ kind }) => kind !== 'pause',
    oneIn: Math.ceil(9 / Number(process.env.CTX_RUNS ?? 1)),
  });
  const failures: string[] = [];
  for (const strike of strikes) {
    const { at, fault, moment, happening } = strike;
    await runBoth(strike).catch((error) =>
      failures.push(`${at} ${fault} (${moment}), ${happening}: ${error}`),
    );
  }
  console.log(`${strikes.length} runs of two managers`);
  expect(failures).toEqual([]);
});
