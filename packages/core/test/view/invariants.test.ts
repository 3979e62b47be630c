import { invariantNames, type Message, View } from '@ctx/core';
import { validateView } from '@ctx/core/kit';
import {
  arbitraryEdits,
  arbitraryTranscript,
  assistant,
  call,
  deepFreeze,
  result,
  system,
  user,
  wordCounter,
} from '@ctx/testing';
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
    system('be kind'),
    user('read a'),
    call('a', 'read'),
    result('a', 'A'),
    assistant('it says A', { pinned: true }),
    user('now read b'),
  ]);
  const without = (...positions: number[]) =>
    new View(
      undefined,
      view.entries.filter((_, position) => !positions.includes(position)),
      { count: positions.length, first: positions[0] },
    );
  /** The entries at these positions, in this order, as if nothing had been dropped. */
  const ordered = (...positions: number[]) =>
    new View(
      undefined,
      positions.flatMap((at) => view.entries[at] ?? []),
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

  test.each<[string, View, string[], object?]>([
    ['nothing wrong with the whole transcript', view, []],
    ['a call without its result', without(3), ['tool-pairs']],
    ['a result without its call', without(2), ['tool-pairs']],
    ['a lost system message', without(0), ['system-stays']],
    ['a lost pinned message', without(4), ['pinned-stays']],
    ['a lost newest user message', without(5), ['newest-user-stays']],
    ['a message that is missing without an edit', ordered(0, 2, 3, 4, 5), ['accounted']],
    ['a message that appears twice', ordered(0, 1, 2, 3, 4, 5, 5), ['accounted']],
    ['a pinned message that says something else', changed(4, assistant('it says B')), ['pinned-stays']],
    ['a message without content', changed(1, user('')), ['content-not-empty']],
    ['a changed order', ordered(1, 0, 2, 3, 4, 5), ['order']],
    ['too few messages', without(1, 2, 3), ['min-messages'], { minMessagesToKeep: 4 }],
    ['a view that did not shrink', ordered(0, 1, 2, 3, 4, 5), ['fewer-tokens'], { before: view }],
  ])('%s', (_what, candidate, invariants, rules = {}) => {
    expect(broken(candidate, rules)).toEqual(invariants);
  });
  test('a message that was never said', () => {
    const made = view.entries
      .slice(5)
      .map((entry) => ({ ...entry, id: 'made', origins: new Origins([{ id: 'made', index: 6 }]) }));
    expect(broken(new View(undefined, [...view.entries, ...made]))).toEqual(['accounted']);
  });
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
    const thinking = viewOf([user('is it?'), assistant([thought, said]), user('thanks')]);
    const brokenBy = (...content: (typeof thought | typeof said)[]) =>
      broken(changed(1, assistant(content), thinking.view), { transcript: thinking.transcript });
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
  test('an assistant that speaks first although the provider wants a user', () => {
    const dropped = without(1, 2, 3);
    expect(broken(dropped, { leadingUser: true })).toEqual(['leading-user']);
    expect(broken(dropped, { leadingUser: false })).toEqual([]);
    expect(broken(view, { leadingUser: true })).toEqual([]);
  });
  test('nothing wrong with an assistant that opened the conversation and still does', () => {
    const begun = viewOf([system('be kind'), assistant('hello'), user('hi')]);
    expect(broken(begun.view, { transcript: begun.transcript, leadingUser: true })).toEqual([]);
  });
});
