import { getEventListeners } from 'node:events';
import { Awaits, type PlannedStrike, type SeenCall, settled, turn } from '@ctx/servers';
import type { Snapshot } from '../../src/manager/snapshot.js';
import { type ActionName, actions, type Come } from './actions.js';
import { type Happening, happenings } from './happenings.js';
import { conversationOf, expectConsistent, expectGoesOn, expectOutcome, stateOf } from './sound.js';
import { timeoutMs, World } from './world.js';

const lateMs = 3 * timeoutMs;

/** Runs an action, strikes one call if given, and checks all guarantees afterwards. */
export async function runAction(
  name: ActionName,
  beginning: Snapshot,
  planned?: PlannedStrike<Happening>,
): Promise<readonly SeenCall[]> {
  const happens = () => planned && happenings[planned.happening](world);
  const awaits = new Awaits(planned && { ...planned, happens }, lateMs);
  const world: World = new World(awaits, beginning);
  const { manager, controller } = world;
  const act: (world: World, signal: AbortSignal) => Promise<Come> = actions[name];
  const task = act(world, controller.signal);
  // An action does its synchronous work before it waits.
  const before = conversationOf(manager);
  const isAlone = planned === undefined || alone.has(planned.happening);
  const come = await settled<Come>(task);
  const seen = [...awaits.seen];
  const others: PromiseSettledResult<unknown>[] = [];
  for (const begun of world.begun) others.push(await settled(begun));

  if (planned !== undefined) expect(awaits.struck).toBe(true);
  expectOutcome(come, world, planned);
  for (const other of others) expectOutcome(other, world, planned);
  if (isAlone && isAborted(come)) expect(conversationOf(manager)).toBe(before);
  expectConsistent(world);

  const after = stateOf(manager);
  jest.runAllTimers();
  await turn();
  const isLateChange = planned?.fault === 'late' && planned.moment === 'answer' && !isAlone;
  if (!isLateChange) expect(stateOf(manager)).toBe(after);
  expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  expect(jest.getTimerCount()).toBe(0);
  await expectGoesOn(world);
  expect(jest.getTimerCount()).toBe(0);
  return seen;
}

/** Happenings that change nothing in the conversation by themselves. */
const alone: ReadonlySet<Happening> = new Set<Happening>(['nothing', 'the caller aborts', 'restore']);

function isAborted(come: PromiseSettledResult<unknown>): boolean {
  return come.status === 'fulfilled' && (come.value as { reason?: unknown }).reason === 'aborted';
}
