import { ContextManager } from '@ctx/core';
import { assistant, call, deepFreeze, managerOf, user, words } from '@ctx/testing';
import type { Snapshot } from '../../src/manager/snapshot.js';
import { drop, planning } from '../edits.js';
import { restored, stored } from '../restored.js';
import { thrownBy } from '../thrown-by.js';

async function compressed(): Promise<ContextManager> {
  const manager = managerOf([user(words(20)), user(words(30)), user('now?'), call('a', 'read')]);
  await manager.compress({ strategy: planning(drop('m1')), targetTokens: 0 });
  manager.pin('m2');
  return manager;
}

describe('a snapshot is refused with a code if', () => {
  const withEdit = (one: Snapshot, edit: object) => ({
    ...one,
    records: [{ ...one.records[0], edits: [edit] }],
  });
  const withLearned = (one: Snapshot, learned: object) => ({
    ...one,
    calibration: { ...one.calibration, ...learned },
  });
  test.each<[string, (snapshot: Snapshot) => unknown, string?]>([
    ['it is nothing', () => undefined],
    ['it is a list', () => []],
    ['its version is unknown', (one) => ({ ...one, version: 5 })],
    ['it has no messages', (one) => ({ ...one, messages: undefined })],
    ['a message has no id', (one) => ({ ...one, messages: [{ message: user('x') }] })],
    [
      'a message is malformed',
      (one) => ({ ...one, messages: [{ id: 'm1', message: { role: 'nobody' } }] }),
      'message-invalid',
    ],
    [
      'two messages have one id',
      (one) => ({ ...one, records: [], messages: [one.messages[0], one.messages[0]] }),
      'message-id-duplicate',
    ],
    ['a record names messages that are not there', (one) => ({ ...one, messages: one.messages.slice(2) })],
    ['a record has an edit of an unknown form', (one) => withEdit(one, { type: 'explode' })],
    ['a record drops nothing that has a name', (one) => withEdit(one, { type: 'drop' })],
    ['a cost is not a number', (one) => ({ ...one, totals: { ...one.totals, cost: { prefixTokens: '5' } } })],
    ['a pin is not an id', (one) => ({ ...one, pins: [7] })],
    ['a learned figure was not a number', (one) => withLearned(one, { mean: [null, 1, 2] })],
    ['the last report has another form', (one) => withLearned(one, { anchor: { reported: '5' } })],
  ])('%s', async (_title, spoil, code = 'snapshot-invalid') => {
    const snapshot = stored(await compressed());
    expect(thrownBy(() => ContextManager.restore(deepFreeze(spoil(snapshot))))).toMatchObject({ code });
  });
});

test('a snapshot of an earlier form is refused, and the error says so', async () => {
  const packed = { ...stored(await compressed()), version: 1, packed: 1 };
  expect(thrownBy(() => ContextManager.restore(packed))).toMatchObject({
    code: 'snapshot-invalid',
    place: 'version',
    value: 1,
    message: expect.stringContaining('its form is version 1, this release reads version 4'),
  });
});

test('a restored manager makes the same snapshot, with its pins and the tools that were sent', async () => {
  const manager = await compressed();
  manager.request();
  manager.setTools(['read']);
  const snapshot = stored(manager);
  expect(snapshot).toMatchObject({ pins: ['m2'], meter: { asked: [expect.any(Array)] } });
  expect(stored(restored(manager, { tools: ['read'] }))).toEqual(snapshot);
});

test('a question that had left before the user answered it does not stop a restart', async () => {
  const manager = managerOf([user(words(50)), assistant('What?')]);
  await manager.compress({ strategy: planning(drop('m2')), targetTokens: 1 });
  manager.append(user('ok'));
  expect(restored(manager).view()).toEqual(manager.view());
});

test('whatever a strategy returns with its edits, the snapshot can be written as JSON', async () => {
  const cycle: Record<string, unknown> = { size: 10n };
  cycle.self = cycle;
  const careless = {
    name: 'careless',
    emits: ['drop'],
    plan: () => ({
      edits: [drop('m1'), { ...cycle, type: 'odd' } as never],
      notes: { cycle, kept: 1 },
      chosen: cycle as never,
      reason: 10n as never,
    }),
  };
  const manager = managerOf([user('first'), assistant('yes'), user('and now?')]);
  const { record } = await manager.compress({ strategy: careless, targetTokens: 0 });
  expect(record?.rejected).toMatchObject([
    { invariant: 'targets-exist', detail: expect.stringContaining('plain JSON') },
  ]);
  expect(record?.chosen).toContain('size');
  expect(() => JSON.stringify(manager.snapshot())).not.toThrow();
  cycle.size = 'changed later';
  expect(JSON.stringify(manager.snapshot())).not.toContain('changed later');
});
