import type { CompressionRecord } from '@ctx/core';
import {
  type ContextManager,
  ContextOverflowError,
  defineStrategy,
  invariantNames,
  type Message,
  MessageCounter,
  View,
} from '@ctx/core';
import { applyEdits, Transcript, validateView } from '@ctx/core/kit';
import { arbitraryEdits, arbitraryTranscript, deepFreeze, managerOf, wordCounter } from '@ctx/testing';
import fc from 'fast-check';
import { Origins } from '../../src/view/origins.js';
import { asItIs, type Presenter } from '../../src/view/view-entry.js';

const counter = new MessageCounter(wordCounter, { message: 1, conversation: 0 });
const count = (message: Message) => counter.message(message);

function viewOf(messages: readonly Message[]) {
  const transcript = new Transcript();
  const view = new View();
  for (const message of messages) for (const added of transcript.append(message)) view.append(added, count);
  return { transcript, view };
}

const idsOf = (messages: readonly Message[]) => [
  ...viewOf(messages).transcript.messages.map(({ id }) => id),
  ...['ctx:hostile.0', 'ctx:hostile.1', 'ctx:compression-1.0', 'ctx:compression-2.1', 'compression-1.0'],
];

const attacked = arbitraryTranscript.chain((messages) =>
  fc.record({
    messages: fc.constant(deepFreeze(messages)),
    plans: fc.array(arbitraryEdits(idsOf(messages)), { minLength: 1, maxLength: 4 }),
    minMessagesToKeep: fc.integer({ min: 1, max: 6 }),
  }),
);

describe('whatever edits a hostile strategy returns', () => {
  test('the view keeps every invariant, and each edit is either applied or rejected with the invariant it breaks', () => {
    fc.assert(
      fc.property(attacked, ({ messages, plans: [edits = []], minMessagesToKeep }) => {
        const { transcript, view } = viewOf(messages);
        const rules = { transcript, pins: new Set<string>(), minMessagesToKeep };
        const applied = applyEdits(view, edits, rules, count, { record: 'hostile' });

        expect(validateView(applied.view, { ...rules, before: view })).toEqual([]);
        expect(applied.accepted.length + applied.rejected.length).toBe(edits.length);
        for (const { invariant } of applied.rejected) expect(invariantNames).toContain(invariant);
      }),
      { numRuns: 134 },
    );
  });

  test('a view keeps the right running total of its tokens', () => {
    fc.assert(
      fc.property(attacked, ({ messages, plans: [edits = []], minMessagesToKeep }) => {
        const { transcript, view } = viewOf(messages);
        const rules = { transcript, pins: new Set<string>(), minMessagesToKeep };
        const after = applyEdits(view, edits, rules, count, { record: 'hostile' }).view;
        const fresh = new MessageCounter(wordCounter, { message: 1, conversation: 0 });
        const recounted = after.messages().map((message) => fresh.message(message));
        expect(after.tokens).toBe(recounted.reduce((sum, { tokens }) => sum + tokens, 0));
        expect(after.toolCalls).toBe(recounted.reduce((sum, { toolCalls }) => sum + toolCalls, 0));
      }),
      { numRuns: 67 },
    );
  });

  test('nothing is lost or doubled by compressions, undo and rewind, and every rejected edit is reported', async () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({ do: fc.constant('undo' as const), which: fc.nat() }),
        fc.record({ do: fc.constant('rewind' as const), which: fc.nat() }),
        fc.record({ do: fc.constant('pin' as const), which: fc.nat() }),
      ),
      { minLength: 4, maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(attacked, steps, async ({ messages, plans, minMessagesToKeep }, after) => {
        const manager = managerOf(messages, { minMessagesToKeep, contextWindow: 60 });
        const reported: CompressionRecord['rejected'][number][] = [];
        manager.on('edit-reject', (rejection) => reported.push(rejection));
        for (const [turn, edits] of plans.entries()) {
          const hostile = defineStrategy({
            name: 'hostile',
            emits: ['drop', 'replace', 'merge'],
            plan: () => ({ edits: edits as never }),
          });
          reported.length = 0;
          const records = manager.history.length;
          await manager.compress({ strategy: hostile, targetTokens: 0 }).catch(allowOverflow);
          const record = manager.history.length > records ? manager.history[records] : undefined;
          const applied = record?.stages.find((stage) => stage.strategy === 'hostile')?.edits ?? 0;
          expect(applied + reported.length).toBe(edits.length);
          if (record !== undefined) expect(reported).toMatchObject([...record.rejected]);
          expectSound(manager);
          act(manager, after[turn]);
          expectSound(manager);
        }
      }),
      { numRuns: 50 },
    );
  });
});

function allowOverflow(error: unknown): void {
  if (!(error instanceof ContextOverflowError)) throw error;
}

function act(
  manager: ContextManager,
  step: { do: 'undo' | 'rewind' | 'pin'; which: number } | undefined,
): void {
  const { transcript, history } = manager;
  if (step?.do === 'undo' && history.length > 0)
    manager.undo(history[step.which % history.length]?.id as string);
  if (step?.do === 'rewind') manager.rewindTo(transcript[step.which % transcript.length]?.id as string);
  if (step?.do === 'pin') {
    const shown = new Set(manager.view());
    const pinnable = transcript.filter(({ message }) => shown.has(message));
    if (pinnable.length > 0) manager.pin(pinnable[step.which % pinnable.length]?.id as string);
  }
}

/** Rebuilds the view from snapshot data alone and checks it against the manager's view and every invariant. */
function expectSound(manager: ContextManager): void {
  const { messages, records, pins } = manager.snapshot();
  const transcript = new Transcript();
  let view = new View();
  for (const { id, message } of messages) {
    for (const added of transcript.append(message, id)) view.append(added, count);
  }
  const mayShorten = records.some(({ relaxed }) => relaxed !== undefined);
  const rules = { transcript, pins: new Set<string>(), minMessagesToKeep: 1, mayShorten };
  for (const record of records) {
    const applied = applyEdits(view, record.edits, rules, count, { record: record.id });
    expect(applied.rejected).toEqual([]);
    view = applied.view;
  }
  expect(validateView(view, { ...rules, pins: new Set(pins) })).toEqual([]);
  expect(manager.view()).toEqual(view.messages());
}

describe('validateView notices', () => {
  const { transcript, view } = viewOf([
    { role: 'system', content: 'be kind' },
    { role: 'user', content: 'read a' },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'read', input: {} }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'read', output: 'A' }] },
    { role: 'assistant', content: 'it says A', pinned: true },
    { role: 'user', content: 'now read b' },
  ]);
  const without = (...positions: number[]) =>
    new View(
      undefined,
      view.entries.filter((_, position) => !positions.includes(position)),
      { count: positions.length, first: positions[0] },
    );
  /** The view with another message at one position. */
  const changed = (at: number, message: Message, whole = view) =>
    new View(
      undefined,
      whole.entries.map((entry, position) =>
        position === at ? { ...entry, message, sent: message } : entry,
      ),
    );
  const broken = (candidate: View, rules = {}) =>
    validateView(candidate, { transcript, ...rules }).map(({ invariant }) => invariant);

  test('nothing wrong with the whole transcript', () => expect(broken(view)).toEqual([]));
  test('a call without its result', () => expect(broken(without(3))).toEqual(['tool-pairs']));
  test('a result without its call', () => expect(broken(without(2))).toEqual(['tool-pairs']));
  test('a lost system message', () => expect(broken(without(0))).toEqual(['system-stays']));
  test('a lost pinned message', () => expect(broken(without(4))).toEqual(['pinned-stays']));
  test('a lost newest user message', () => expect(broken(without(5))).toEqual(['newest-user-stays']));
  test('a message that is missing without an edit', () =>
    expect(broken(new View(undefined, view.entries.slice(0, 1).concat(view.entries.slice(2))))).toEqual([
      'accounted',
    ]));
  test('a message that appears twice', () =>
    expect(broken(new View(undefined, [...view.entries, ...view.entries.slice(5)]))).toEqual(['accounted']));
  test('a message that was never said', () => {
    const made = view.entries
      .slice(5)
      .map((entry) => ({ ...entry, id: 'made', origins: Origins.of({ id: 'made', index: 6 }) }));
    expect(broken(new View(undefined, [...view.entries, ...made]))).toEqual(['accounted']);
  });
  test('a pinned message whose text has changed', () =>
    expect(broken(changed(4, { role: 'assistant', content: 'it says B', pinned: true }))).toEqual([
      'pinned-stays',
    ]));
  test('a message without content', () =>
    expect(broken(changed(1, { role: 'user', content: '' }))).toEqual(['content-not-empty']));
  test('a missing result at the end', () => {
    const ended = viewOf(view.entries.slice(0, 4).map(({ message }) => message));
    const cut = new View(undefined, ended.view.entries.slice(0, 3), { count: 1, first: 3 });
    expect(broken(cut, { transcript: ended.transcript })).toContain('tool-pairs');
    const open = viewOf(view.entries.slice(0, 3).map(({ message }) => message));
    expect(broken(open.view, { transcript: open.transcript })).toEqual([]);
  });
  test('reasoning that was changed or removed from its message', () => {
    const thought = { type: 'reasoning' as const, text: 'so it is' };
    const said = { type: 'text' as const, text: 'it is' };
    const thinking = viewOf([
      { role: 'user', content: 'is it?' },
      { role: 'assistant', content: [thought, said] },
      { role: 'user', content: 'thanks' },
    ]);
    const brokenBy = (...content: (typeof thought | typeof said)[]) =>
      broken(changed(1, { role: 'assistant', content }, thinking.view), { transcript: thinking.transcript });
    expect(brokenBy(thought, { ...said, text: 'yes' })).toEqual([]);
    expect(brokenBy({ ...thought, text: 'so it may be' }, said)).toEqual(['reasoning-unaltered']);
    expect(brokenBy(said)).toEqual(['reasoning-unaltered']);
  });
  test('a message that is sent differently from what its presenter says', () => {
    let isSilent = false;
    const presenter: Presenter = {
      present: (entries, dropped) =>
        asItIs.present(isSilent ? entries.map((entry) => ({ ...entry, sent: undefined })) : entries, dropped),
      next: (entry) => ({ entry, prefix: 0 }),
    };
    const shown = new View(presenter, view.entries);
    expect(broken(shown)).toEqual([]);
    isSilent = true;
    expect(broken(shown)).toEqual(['reasoning-bound']);
  });
  test('a changed order', () =>
    expect(
      broken(
        new View(
          undefined,
          [1, 0, 2, 3, 4, 5].flatMap((at) => view.entries[at] ?? []),
        ),
      ),
    ).toEqual(['order']));
  test('too few messages', () =>
    expect(broken(without(1, 2, 3), { minMessagesToKeep: 4 })).toEqual(['min-messages']));
  test('a view that did not shrink', () =>
    expect(broken(new View(undefined, view.entries), { before: view })).toEqual(['fewer-tokens']));
  test('an assistant that speaks first although the provider wants a user', () => {
    const dropped = without(1, 2, 3);
    expect(broken(dropped, { leadingUser: true })).toEqual(['leading-user']);
    expect(broken(dropped, { leadingUser: false })).toEqual([]);
    expect(broken(view, { leadingUser: true })).toEqual([]);
  });
  test('nothing wrong with an assistant that opened the conversation and still does', () => {
    const begun = viewOf([
      { role: 'system', content: 'be kind' },
      { role: 'assistant', content: 'hello' },
      { role: 'user', content: 'hi' },
    ]);
    expect(broken(begun.view, { transcript: begun.transcript, leadingUser: true })).toEqual([]);
  });
});
