import { ContextManager, CtxError, type ContextManager as Manager } from '@ctx/core';
import { eventProblems, type PlannedStrike, StruckError, settled } from '@ctx/servers';
import { expectView, sentProblems } from '@ctx/testing';
import type { Snapshot } from '../../src/manager/snapshot.js';
import type { Come } from './actions.js';
import type { Happening } from './happenings.js';
import { moreMessages, type World } from './world.js';

/**
 * What an aborted action must leave unchanged: everything except figures, which become exact once the tokenizer is
 * loaded.
 */
export function conversationOf(manager: Manager): string {
  const view = manager.view();
  return textOf([manager.snapshot(), view, manager.history]);
}

/** The same, and the figures. */
export function stateOf(manager: Manager): string {
  const conversation = conversationOf(manager);
  return textOf([conversation, manager.stats(), manager.budget(), manager.level, manager.willCompress()]);
}

function textOf(value: unknown): string {
  return JSON.stringify(value);
}

/** Compares texts first, because thousands of comparisons of whole conversations take long. */
function expectSame(actual: unknown, expected: unknown): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) expect(actual).toEqual(expected);
}

const stages = ['folding', 'summing', 'translating', 'stepping', 'dropping', 'shortening', 'last-resort'];

/** The action ended in one of the documented ways, and its error is the caller's, core's or the planted one. */
export function expectOutcome(
  come: PromiseSettledResult<unknown>,
  { controller }: World,
  planned: PlannedStrike<Happening> | undefined,
): void {
  if (come.status === 'rejected') {
    expect(CtxError.isInstance(come.reason) && come.reason.code).toBe('context-overflow');
    return;
  }
  const value = come.value as Come;
  if ('status' in value) {
    expect(['unchanged', 'compressed', 'insufficient', 'failed']).toContain(value.status);
    expect(value.reason).not.toBe('');
    if (value.status === 'compressed') expect(value.record?.edits.length).toBeGreaterThan(0);
    if (value.status === 'failed') {
      expect(value.reason).toBe('aborted');
      expect(CtxError.isInstance(value.error) && value.error.code).toBe('aborted');
      expect(controller.signal.aborted).toBe(true);
    }
  }
  for (const stage of ('record' in value && value.record?.stages) || value.stages || []) {
    expect(stages).toContain(stage.strategy);
    if (stage.status === 'failed')
      expect(stage.error).toMatch(/^(CtxError|ConfigError|StruckError|TypeError): /);
  }
  if (planned === undefined && 'status' in value) expect(value.status).not.toBe('failed');
}

/** View, transcript and events match the documents, whatever happened. */
export function expectConsistent({ manager, said, heard, recordProblems }: World): void {
  expect(recordProblems).toEqual([]);
  expectSame(
    manager.transcript.map(({ message }) => message),
    said,
  );
  expect(sentProblems(manager.view(), said)).toEqual([]);
  expect(eventProblems(heard)).toEqual([]);
  for (const { event } of heard) {
    if (!('error' in event)) continue;
    const { error } = event;
    const isKnown = CtxError.isInstance(error) || error instanceof StruckError || error instanceof TypeError;
    expect([isKnown, error]).toEqual([true, error]);
  }
}

/**
 * A view is a conversation like any other: core accepts it, and every law holds for it. It can also be restored from a
 * snapshot.
 */
async function expectLawful({ manager, options }: World): Promise<void> {
  const view = manager.view();
  const snapshot: unknown = JSON.parse(JSON.stringify(manager.snapshot()));
  expectSame(ContextManager.restore(snapshot, options).view(), view);
  const still = { name: 'still', emits: [], plan: () => ({ edits: [] }) };
  await settled(expectView(still, view, view, { config: { contextWindow: 1_000_000 } }));
}

const knownStates = new Set<string>();

/**
 * The manager still does everything it is for, and every record can be undone. A snapshot holds the whole state, so of
 * managers in the same state only the first does all the work.
 */
export async function expectGoesOn(world: World): Promise<void> {
  const { manager } = world;
  const state = stateOf(manager);
  const isKnown = knownStates.has(state);
  knownStates.add(state);
  if (!isKnown) await expectLawful(world);
  world.append(...moreMessages);
  if (isKnown) {
    await settled(manager.checkAndCompress());
    return expectConsistent(world);
  }
  for (const act of [
    () => manager.checkAndCompress({ beforeSend: true }),
    () => manager.compress({ targetTokens: 40 }),
  ]) {
    const come = await settled<Come>(act());
    expect(come.status === 'fulfilled' || CtxError.isInstance(come.reason)).toBe(true);
    if (come.status === 'fulfilled' && 'status' in come.value) expect(come.value.status).not.toBe('failed');
  }
  expectConsistent(world);
  const snapshot = manager.snapshot() as Snapshot;
  for (const { id } of [...snapshot.records].reverse()) {
    const inForce = [...manager.history, ...manager.simplifications];
    if (inForce.some((record) => record.id === id)) manager.undo(id);
  }
  expectSame(manager.view(), world.said);
}
