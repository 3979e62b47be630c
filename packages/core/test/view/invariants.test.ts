import { invariantNames, type Message, View } from '@ctx/core';
import { validateView } from '@ctx/core/kit';
import { arbitraryEdits, arbitraryTranscript, deepFreeze, wordCounter } from '@ctx/testing';
import fc from 'fast-check';
import { Origins } from '../../src/view/origins.js';
import { asItIs, type Presenter } from '../../src/view/view-entry.js';
import { held } from '../held.js';

const viewOf = (messages: readonly Message[]) => held(messages, wordCounter, 1);

const idsOf = (messages: readonly Message[]) => [
  ...viewOf(messages).transcript.messages.map(({ id }) => id),
  ...['ctx:hostile.0', 'ctx:hostile.1', 'ctx:compression-1.0', 'ctx:compression-2.1', 'compression-1.0'],
];

const attacked = arbitraryTranscript.chain((messages) =>
  fc.record({
    messages: fc.constant(deepFreeze(messages)),
    edits: arbitraryEdits(idsOf(messages)),
    minMessagesToKeep: fc.integer({ min: 1, max: 6 }),
  }),
);

test('whatever edits a hostile strategy returns, the view keeps every invariant, and each edit is either applied or rejected with the invariant it breaks', () => {
  fc.assert(
    fc.property(attacked, ({ messages, edits, minMessagesToKeep }) => {
      const { rules, view, judged } = viewOf(messages);
      const applied = judged(edits, { minMessagesToKeep }, view, 'hostile');
      expect(validateView(applied.view, { ...rules, minMessagesToKeep, before: view })).toEqual([]);
      expect(applied.accepted.length + applied.rejected.length).toBe(edits.length);
      for (const { invariant } of applied.rejected) expect(invariantNames).toContain(invariant);
    }),
    { numRuns: 134 },
  );
});

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
