import { memoryArchive } from '@ctx/archive';
import { type Archive, ContextManager, createContextManager, type ManagerOptions } from '@ctx/core';
import { assistant, user, VirtualTime, wordCounter } from '@ctx/testing';

/** Stands still unless an archive hangs. */
const time = new VirtualTime();
const settings: ManagerOptions = {
  wait: time.wait,
  counter: wordCounter,
  now: () => 5,
  config: {
    contextWindow: 200,
    overhead: { message: 0, conversation: 0 },
    minMessagesToKeep: 1,
    timeoutMs: 2_000,
  },
};

const dropOlder = {
  name: 'drop-older',
  emits: ['drop'],
  plan: ({ view }: { view: readonly { id: string }[] }) => {
    const messages = view.slice(0, 2 * Math.floor(view.length / 4)).map(({ id }) => id);
    return { edits: messages.length < 2 ? [] : [{ type: 'drop', messages, reason: 'old' }] };
  },
} as never;

async function talk(manager: ContextManager, from: number, to: number) {
  for (let number = from; number < to; number += 1) {
    manager.append(user(`question ${number}`));
    manager.append(assistant(`answer ${number} in ${'some words '.repeat(4)}`));
    if (number % 10 !== 9) continue;
    await manager.compress({ strategy: dropOlder, targetTokens: 1 });
    await manager.archived();
  }
}

type Fault = 'throws' | 'hangs' | 'loses' | 'garbles';
type Call = 'keep' | 'originals';

/** An archive whose calls fail from one on, as often as is said. */
function faulty(call: Call, fault: Fault, from: number, times: number): Archive {
  const whole = memoryArchive();
  let calls = 0;
  const strike = async (...given: never[]) => {
    calls += 1;
    if (calls < from || calls >= from + times) return (whole[call] as (...all: never[]) => unknown)(...given);
    if (fault === 'throws') throw new Error('The disk is gone');
    if (fault === 'hangs') {
      setImmediate(() => time.pass(2_000));
      return new Promise(() => {});
    }
    if (fault === 'loses') return [];
    return [{ id: 7, index: given[1] }];
  };
  const others = ['put', 'keep', 'originals', 'get', 'search', 'forget', 'close'] as const;
  return Object.fromEntries(
    others.map((name) => [name, name === call ? strike : whole[name].bind(whole)]),
  ) as unknown as Archive;
}

const cases: [Call, Fault][] = [
  ['keep', 'throws'],
  ['keep', 'hangs'],
  ['originals', 'throws'],
  ['originals', 'hangs'],
  ['originals', 'loses'],
  ['originals', 'garbles'],
];

describe.each(cases)('%s %s', (call, fault) => {
  test.each([1, 2, 5])('at call %d: nothing is lost, and the view is the same', async (from) => {
    const manager = createContextManager({
      ...settings,
      archive: faulty(call, fault, from, 1),
      memory: 'archive',
    });
    const whole = createContextManager(settings);
    await talk(manager, 0, 80);
    await talk(whole, 0, 80);
    expect(JSON.stringify(manager.view())).toBe(JSON.stringify(whole.view()));
    const { id } = whole.history[0] as { id: string };
    await manager.bringBack(id).catch(() => manager.bringBack(id));
    expect(manager.undo(id)).toEqual(whole.undo(id));
    expect(JSON.stringify(manager.view())).toBe(JSON.stringify(whole.view()));
  });
});

test('an archive that was lost means that old records can not be undone, and nothing else', async () => {
  const archive = memoryArchive();
  const manager = createContextManager({ ...settings, archive, memory: 'archive' });
  await talk(manager, 0, 120);
  await archive.forget('conversation');
  const before = JSON.stringify(manager.view());
  const { id } = manager.history[0] as { id: string };
  await expect(manager.bringBack(id)).rejects.toMatchObject({ code: 'archive-ref-unknown' });
  expect(() => manager.undo(id)).toThrow(expect.objectContaining({ code: 'messages-archived' }));
  await expect(manager.bringBack('#m9999')).rejects.toMatchObject({ code: 'id-unknown' });
  expect(JSON.stringify(manager.view())).toBe(before);
  await talk(manager, 120, 160);
  const newest = manager.history.at(-1)?.id as string;
  expect(manager.undo(newest)).toEqual([newest]);
  expect(ContextManager.restore(JSON.parse(JSON.stringify(manager.snapshot())), settings).view()).toEqual(
    manager.view(),
  );
});

test('two processes go on from one snapshot, with one archive, and each has its own back', async () => {
  const archive = memoryArchive();
  const first = createContextManager({ ...settings, archive, memory: 'archive' });
  await talk(first, 0, 80);
  const snapshot = JSON.stringify(first.snapshot());
  const second = ContextManager.restore(JSON.parse(snapshot), { ...settings, archive, memory: 'archive' });
  await Promise.all([talk(first, 80, 140), talk(second, 80, 140)]);
  expect(JSON.stringify(second.view())).toBe(JSON.stringify(first.view()));
  for (const manager of [first, second]) {
    const { id } = manager.history[0] as { id: string };
    await manager.bringBack(id);
    manager.undo(id);
  }
  expect(JSON.stringify(second.view())).toBe(JSON.stringify(first.view()));
});

test('after an old snapshot only what the archive has otherwise stays out of it, and in memory', async () => {
  const archive = memoryArchive();
  const one = createContextManager({ ...settings, archive, conversation: 'one' });
  await talk(one, 0, 20);
  const old = JSON.stringify(one.snapshot());
  await talk(one, 20, 40);
  const other = ContextManager.restore(JSON.parse(old), { ...settings, archive });
  const failed: unknown[] = [];
  other.on('archive-fail', ({ error }) => failed.push(error));
  await talk(other, 1_020, 1_080);
  expect(failed).toContainEqual(expect.objectContaining({ code: 'archive-conflict' }));
  expect(await other.archived()).toBe(false);
  // Numbers that the archive has otherwise are left out; those behind them are found.
  expect((await other.find('question 1065')).map(({ text }) => text)).toContain('question 1065');
  expect((await other.find('question 21')).map(({ text }) => text)).not.toContain('question 21');
  expect((await one.find('question 21')).map(({ text }) => text)).toContain('question 21');
});
