import { assistant, managerOf, transcript, user, words } from '@ctx/testing';
import { type Edit, type Message, MessageCounter, View } from '../../src/index.js';
import { Transcript } from '../../src/transcript/transcript.js';
import { applyEdits } from '../../src/view/gate.js';
import { validateView } from '../../src/view/validate.js';

const counter = new MessageCounter({ count: (text) => text.length }, { message: 1, conversation: 0 });
const count = (message: Message) => counter.message(message);

const conversation = transcript(
  user('first question', { id: 'first' }),
  assistant(words(9), { id: 'one' }),
  user('second question', { id: 'second' }),
  assistant(words(9), { id: 'two' }),
  assistant(words(9), { id: 'three' }),
  user('and now?', { id: 'newest' }),
);

function held(messages: readonly Message[] = conversation) {
  const said = new Transcript();
  const view = new View();
  for (const message of messages) for (const added of said.append(message)) view.append(added, count);
  return { view, rules: { transcript: said, minMessagesToKeep: 1 } };
}

const drop = (...messages: string[]): Edit => ({ type: 'drop', messages, reason: 'old' });
const merge = (...messages: string[]): Edit => ({
  type: 'merge',
  messages,
  text: 'x',
  placement: 'last',
  reason: 'old',
});

function tried(edits: readonly Edit[], messages?: readonly Message[]) {
  const { view, rules } = held(messages);
  const { rejected, view: after } = applyEdits(view, edits, rules, count, { record: 'r' });
  expect(validateView(after, { ...rules, before: view })).toEqual([]);
  return rejected.map(({ invariant, detail }) => [invariant, detail]);
}

const amid = [['order', '"second" of the user would stay amid what the merge stands for']];

describe('a merge across a user message that stays', () => {
  test('is rejected, wherever its text would be put', () => {
    expect(tried([merge('one', 'two')])).toEqual(amid);
    expect(tried([{ ...merge('one', 'three'), placement: 'first' } as Edit])).toEqual(amid);
    expect(tried([merge('first', 'one', 'three')])).toEqual(amid);
  });

  test('is rejected, however the messages are sorted', () => {
    expect(tried([merge('three', 'one')])).toEqual(amid);
  });

  test('is rejected if one of its targets is a merge from before it', () => {
    expect(tried([merge('first', 'one'), merge('ctx:r.0', 'two')])).toEqual(amid);
  });

  test('is applied if it takes the message too', () => {
    expect(tried([merge('one', 'second', 'two')])).toEqual([]);
  });

  test('is applied once the message has gone', () => {
    expect(tried([drop('second'), merge('one', 'two')])).toEqual([]);
  });

  test('is applied once another merge stands for the message', () => {
    expect(tried([merge('second', 'two'), merge('one', 'three')])).toEqual([]);
    const inItsPlace: Edit = { ...merge('second', 'two'), placement: 'first' };
    expect(tried([inItsPlace, merge('one', 'three')])).toEqual([]);
  });
});

test('a merge of what was said between two user messages is applied', () => {
  expect(tried([merge('two', 'three')])).toEqual([]);
  expect(tried([merge('first', 'one')])).toEqual([]);
});

test('a summary between the targets of a merge is no user message', () => {
  const summarized = conversation.map((message) =>
    message.id === 'second' ? { ...message, summary: true } : message,
  );
  expect(tried([merge('one', 'two')], summarized)).toEqual([]);
});

test('an undo that brings a user message back takes away the merge of what was said around it', async () => {
  const manager = managerOf(conversation);
  const planned = (edit: Edit) => ({ name: 'planned', emits: [edit.type], plan: () => ({ edits: [edit] }) });
  const dropped = await manager.compress({ strategy: planned(drop('second')), targetTokens: 1 });
  const merged = await manager.compress({ strategy: planned(merge('one', 'two')), targetTokens: 1 });
  expect([dropped.status, merged.status]).not.toContain('failed');
  const [first, next] = manager.history.map(({ id }) => id);
  expect(manager.undo(first as string)).toEqual([first, next]);
  expect(manager.view()).toEqual(conversation);
});

test('no summary is asked for if it would stand for what was said on both sides of a user message', async () => {
  const manager = managerOf(conversation);
  const rejected: string[] = [];
  manager.on('edit-reject', ({ invariant }) => rejected.push(invariant));
  const strategy = {
    name: 'summarizing',
    emits: ['summarize'],
    plan: () => ({
      edits: [
        {
          type: 'summarize' as const,
          messages: ['one', 'two'],
          maxTokens: 3,
          placement: 'first' as const,
          reason: 'old',
        },
      ],
    }),
  };
  await manager.compress({ strategy, targetTokens: 0 });
  expect(rejected).toEqual(['order']);
  expect(manager.view()).toEqual(conversation);
});

describe('validateView', () => {
  /** A view in which one message stands for those around the second question, as records of older versions made it. */
  function mixed() {
    const { view, rules } = held();
    const without = applyEdits(view, [drop('second'), merge('one', 'two')], rules, count, {
      record: 'r',
    }).view;
    const second = view.entries.find(({ id }) => id === 'second');
    if (second === undefined) throw new Error('it was said');
    const [first, ...others] = without.entries;
    if (first === undefined) throw new Error('it stays');
    return { before: view, after: new View(undefined, [first, second, ...others]), rules };
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
    const { after, rules } = mixed();
    const { view } = applyEdits(after, [drop('three')], rules, count, { record: 's' });
    expect(view).not.toBe(after);
    expect(validateView(view, { ...rules, before: after })).toEqual([]);
  });
});

test('notes may be written again at greater length, but nothing else may become longer', () => {
  const short = { ...merge('one'), text: 'x' } as Edit;
  const longer = (message: string) => ({ ...merge(message), text: words(12) }) as Edit;
  expect(tried([short, longer('ctx:r.0'), drop('two', 'three')])).toEqual([]);
  expect(tried([longer('one')])).toMatchObject([['fewer-tokens', expect.stringContaining('leaves')]]);
});
