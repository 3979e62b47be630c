import { ContextManager, CtxError, defineStrategy, type ManagerOptions } from '@ctx/core';
import { assistant, call, deepFreeze, managerOf, user, wordCounter, words } from '@ctx/testing';
import type { Snapshot } from '../../src/manager/snapshot.js';

const options: ManagerOptions = {
  counter: wordCounter,
  config: {
    contextWindow: 1_000_000_000,
    overhead: { message: 0, conversation: 0 },
    minMessagesToKeep: 1,
    throttleMs: 0,
  },
};
const dropFirst = {
  name: 'drop-first',
  emits: ['drop'],
  plan: () => ({ edits: [{ type: 'drop' as const, messages: ['m1'], reason: 'first' }] }),
};

async function compressed(): Promise<ContextManager> {
  const manager = managerOf([user(words(20)), user(words(30)), user('now?'), call('a', 'read')]);
  await manager.compress({ strategy: dropFirst, targetTokens: 0 });
  manager.pin('m2');
  return manager;
}

const throughJson = (snapshot: Snapshot): Snapshot => JSON.parse(JSON.stringify(snapshot));

describe('a snapshot is refused with a code if', () => {
  const codeOf = (value: unknown): string => {
    try {
      ContextManager.restore(value, options);
    } catch (error) {
      if (CtxError.isInstance(error)) return error.code;
      throw error;
    }
    return 'nothing was thrown';
  };

  test.each<[string, (snapshot: Snapshot) => unknown, string]>([
    ['it is nothing', () => undefined, 'snapshot-invalid'],
    ['it is a list', () => [], 'snapshot-invalid'],
    ['its version is unknown', (one) => ({ ...one, version: 4 }), 'snapshot-invalid'],
    ['it has no messages', (one) => ({ ...one, messages: undefined }), 'snapshot-invalid'],
    ['a message has no id', (one) => ({ ...one, messages: [{ message: user('x') }] }), 'snapshot-invalid'],
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
    [
      'a record names messages that are not there',
      (one) => ({ ...one, messages: one.messages.slice(2) }),
      'snapshot-invalid',
    ],
    [
      'a record has an edit of an unknown form',
      (one) => ({ ...one, records: [{ ...one.records[0], edits: [{ type: 'explode' }] }] }),
      'snapshot-invalid',
    ],
    [
      'a record drops nothing that has a name',
      (one) => ({ ...one, records: [{ ...one.records[0], edits: [{ type: 'drop' }] }] }),
      'snapshot-invalid',
    ],
    [
      'a cost is not a number',
      (one) => ({ ...one, totals: { ...one.totals, cost: { prefixTokens: '5' } } }),
      'snapshot-invalid',
    ],
    ['a pin is not an id', (one) => ({ ...one, pins: [7] }), 'snapshot-invalid'],
    [
      'a figure of the calibration was not a number',
      (one) => ({ ...one, calibration: { ...one.calibration, mean: [null, 1, 2] } }),
      'snapshot-invalid',
    ],
    [
      'the last report of the calibration is of another form',
      (one) => ({ ...one, calibration: { ...one.calibration, anchor: { reported: '5' } } }),
      'snapshot-invalid',
    ],
  ])('%s', async (_title, spoil, code) => {
    const snapshot = throughJson((await compressed()).snapshot());
    expect(codeOf(deepFreeze(spoil(snapshot)))).toBe(code);
  });
});

test('a snapshot of an earlier form is refused, and the error says so', async () => {
  const packed = {
    ...throughJson((await compressed()).snapshot()),
    version: 1,
    packed: 1,
    forms: [],
    records: [{ edits: [{ text: { lines: [[0, 0, 1]] } }] }],
  };
  expect(() => ContextManager.restore(packed)).toThrow(
    expect.objectContaining({
      code: 'snapshot-invalid',
      place: 'version',
      value: 1,
      message: expect.stringContaining('its form is version 1, this release reads version 3'),
    }),
  );
});

test('whatever a strategy returns with its edits, the snapshot can be written as JSON', async () => {
  const cycle: Record<string, unknown> = { size: 10n };
  cycle.self = cycle;
  const careless = defineStrategy({
    name: 'careless',
    emits: ['drop'],
    plan: () => ({
      edits: [{ type: 'drop', messages: ['m1'], reason: 'old' }, { ...cycle, type: 'odd' } as never],
      notes: { cycle, kept: 1 },
      chosen: cycle as never,
      reason: 10n as never,
    }),
  });
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
