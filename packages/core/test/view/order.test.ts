import { assistant, managerOf, transcript, user, words } from '@ctx/testing';
import { type Edit, type Message, View } from '../../src/index.js';
import { validateView } from '../../src/view/validate.js';
import { drop, merge as mergeOf, planning } from '../edits.js';
import { heard } from '../heard.js';
import { held } from '../held.js';

const byLength = { count: (text: string) => text.length };

const conversation = transcript(
  user('first question', { id: 'first' }),
  assistant(words(9), { id: 'one' }),
  user('second question', { id: 'second' }),
  assistant(words(9), { id: 'two' }),
  assistant(words(9), { id: 'three' }),
  user('and now?', { id: 'newest' }),
);

const merge = (...messages: string[]) => mergeOf(messages, 'x', 'last');

function tried(edits: readonly Edit[], messages?: readonly Message[]) {
  const { view, rules, judged } = held(messages ?? conversation, byLength, 1);
  const { rejected, view: after } = judged(edits);
  expect(validateView(after, { ...rules, before: view })).toEqual([]);
  return rejected.map(({ invariant, detail }) => [invariant, detail]);
}

const amid = [['order', '"second" of the user would stay amid what the merge stands for']];

const around = mergeOf(['one', 'three'], 'x');
test.each<[what: string, edits: readonly Edit[]]>([
  ['with its text behind the message', [merge('one', 'two')]],
  ['with its text before it', [around]],
  ['with a target further back', [merge('first', 'one', 'three')]],
  ['with its targets in another order', [merge('three', 'one')]],
  ['with a merge from before the message', [merge('first', 'one'), merge('ctx:r.0', 'two')]],
])('a merge across a user message that stays is rejected, %s', (_what, edits) => {
  expect(tried(edits)).toEqual(amid);
});

test.each<[what: string, edits: readonly Edit[]]>([
  ['if it takes the message too', [merge('one', 'second', 'two')]],
  ['once the message has gone', [drop('second'), merge('one', 'two')]],
  ['once another merge stands for the message', [merge('second', 'two'), merge('one', 'three')]],
  ['… wherever that stands', [mergeOf(['second', 'two'], 'x'), merge('one', 'three')]],
  ['of what was said behind a user message', [merge('two', 'three')]],
  ['of a user message and what was said behind it', [merge('first', 'one')]],
])('a merge is applied %s', (_what, edits) => {
  expect(tried(edits)).toEqual([]);
});

test('a summary between the targets of a merge is no user message', () => {
  const summarized = conversation.map((message) =>
    message.id === 'second' ? { ...message, summary: true } : message,
  );
  expect(tried([merge('one', 'two')], summarized)).toEqual([]);
});

test('an undo that brings a user message back takes away the merge of what was said around it', async () => {
  const manager = managerOf(conversation);
  const dropped = await manager.compress({ strategy: planning(drop('second')), targetTokens: 1 });
  const merged = await manager.compress({ strategy: planning(merge('one', 'two')), targetTokens: 1 });
  expect([dropped.status, merged.status]).not.toContain('failed');
  const [first, next] = manager.history.map(({ id }) => id);
  expect(manager.undo(first as string)).toEqual([first, next]);
  expect(manager.view()).toEqual(conversation);
});

test('no summary is asked for if it would stand for what was said on both sides of a user message', async () => {
  const manager = managerOf(conversation);
  const rejected = heard(manager, 'edit-reject', ({ invariant }) => invariant);
  const edit = { type: 'summarize', messages: ['one', 'two'], maxTokens: 3, reason: 'old' } as const;
  const strategy = planning({ ...edit, placement: 'first' });
  await manager.compress({ strategy, targetTokens: 0 });
  expect(rejected).toEqual(['order']);
  expect(manager.view()).toEqual(conversation);
});

describe('validateView', () => {
  /** A view in which one message stands for those around the second question, as records of older versions made it. */
  function mixed() {
    const { view, rules, judged } = held(conversation, byLength, 1);
    const without = judged([drop('second'), merge('one', 'two')]).view;
    const second = view.entries.find(({ id }) => id === 'second');
    if (second === undefined) throw new Error('it was said');
    const [first, ...others] = without.entries;
    if (first === undefined) throw new Error('it stays');
    return { before: view, after: new View(undefined, [first, second, ...others]), rules, judged };
  }

  test('notices a message that stands for what was said on both sides of a user message', () => {
    const { before, after, rules } = mixed();
    const violations = validateView(after, { ...rules, before });
    expect(violations).toEqual([
      {
        invariant: 'order',
        detail: '"ctx:r.1" stands for what was said before and after a user message that stays',
      },
    ]);
  });

  test('accepts one that was there before', () => {
    const { after, rules, judged } = mixed();
    const { view } = judged([drop('three')], {}, after, 's');
    expect(view).not.toBe(after);
    expect(validateView(view, { ...rules, before: after })).toEqual([]);
  });
});

test('notes may be written again at greater length, but nothing else may become longer', () => {
  const longer = (message: string) => mergeOf([message], words(12), 'last');
  expect(tried([merge('one'), longer('ctx:r.0'), drop('two', 'three')])).toEqual([]);
  expect(tried([longer('one')])).toMatchObject([['fewer-tokens', expect.stringContaining('leaves')]]);
});
