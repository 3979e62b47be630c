import { type Message, partsOf } from '@ctx/core';
import { assistant, call, result, system, transcript, user, words } from '@ctx/testing';
import { drop, dropCalls, merge, replace } from '../edits.js';
import { held } from '../held.js';

const conversation = transcript(
  system('be kind', { id: 'system' }),
  user(words(5), { id: 'question' }),
  call('a', 'read', { path: 'a' }, { id: 'call' }),
  result('a', words(50), { id: 'result' }),
  assistant(
    [
      { type: 'reasoning', text: 'so it is' },
      { type: 'text', text: words(10) },
    ],
    { id: 'answer' },
  ),
  user('thanks a lot', { id: 'critical', priority: 'CRITICAL' }),
  user('and then?', { id: 'newest' }),
  call('b', 'run', {}, { id: 'open' }),
);

function tryEdits(edits: readonly unknown[], { minMessagesToKeep = 1, pins = [] as string[] } = {}) {
  const { view: before, judged } = held(conversation);
  const { accepted, rejected, view } = judged(edits, { minMessagesToKeep, pins: new Set(pins) });
  const rejections = rejected.map(({ invariant }) => invariant);
  return { before, accepted, rejected, view, rejections, ids: view.entries.map(({ id }) => id) };
}
const rejectedBy = (edit: unknown, options = {}) => tryEdits([edit], options).rejections;

describe('an edit is rejected when it', () => {
  test.each<[string, string, unknown]>([
    ['separates a call from its result', 'tool-pairs', drop('result')],
    ['merges half an exchange', 'tool-pairs', merge(['question', 'call'], 'short')],
    ['drops a call that waits for its result', 'tool-pairs', drop('open')],
    ['drops a system message', 'system-stays', drop('system')],
    ['changes a system message', 'system-stays', replace('system', 'x')],
    ['drops a CRITICAL message', 'pinned-stays', drop('critical')],
    ['drops the newest user message', 'newest-user-stays', drop('newest')],
    ['shortens the newest user message', 'newest-user-stays', replace('newest', 'then?')],
    ['names an unknown message', 'targets-exist', drop('nobody')],
    ['is not an edit', 'targets-exist', 'drop everything'],
    ['names no message', 'targets-exist', drop()],
    ['changes reasoning', 'reasoning-unaltered', replace('answer', 'no', 0)],
    ['names a part that is not there', 'reasoning-unaltered', replace('answer', 'no', 7)],
    ['gives a tool call a text that is not a JSON object', 'reasoning-unaltered', replace('call', '[]')],
    ['leaves an empty text', 'content-not-empty', replace('result', ' ')],
    ['makes a message longer', 'fewer-tokens', replace('question', words(6))],
    ['replaces merged messages with a longer text', 'fewer-tokens', merge(['question'], words(5))],
  ])('%s', (_title, invariant, edit) => {
    const { before, view, accepted, rejections } = tryEdits([edit]);
    expect(rejections).toEqual([invariant]);
    expect(accepted).toEqual([]);
    expect(view).toBe(before);
  });

  test('touches what the caller pinned', () => {
    expect(rejectedBy(drop('question'), { pins: ['question'] })).toEqual(['pinned-stays']);
    expect(rejectedBy(replace('result', 'short'), { pins: ['result'] })).toEqual(['pinned-stays']);
  });

  test('leaves too few messages', () => {
    expect(rejectedBy(drop('question'), { minMessagesToKeep: 8 })).toEqual(['min-messages']);
    expect(rejectedBy(drop('question'), { minMessagesToKeep: 7 })).toEqual([]);
    const short = merge(['question', 'call', 'result'], 'short');
    expect(rejectedBy(short, { minMessagesToKeep: 7 })).toEqual(['min-messages']);
    expect(rejectedBy(short, { minMessagesToKeep: 6 })).toEqual([]);
  });

  test('leaves too few messages, but not when it only shortens one', () => {
    expect(rejectedBy(replace('result', 'short'), { minMessagesToKeep: 9 })).toEqual([]);
  });
});

test('a rejected edit does not stop the others', () => {
  const { accepted, rejected, ids } = tryEdits([
    drop('system'),
    drop('question'),
    drop('result'),
    drop('call', 'result'),
  ]);
  expect(accepted).toHaveLength(2);
  expect(rejected).toHaveLength(2);
  expect(ids).toEqual(['system', 'answer', 'critical', 'newest', 'open']);
});

test('dropped messages are counted, with their first and last position in the transcript', () => {
  const { view } = tryEdits([drop('system'), drop('call', 'result'), drop('question')]);
  expect(view.dropped).toEqual({ count: 3, first: 1, last: 3 });
});

test('a second edit of a message that the first edit dropped is rejected', () => {
  expect(tryEdits([drop('question'), replace('question', 'x')]).rejections).toEqual(['targets-exist']);
});

test('a replaced tool result keeps its id, its name and its error flag', () => {
  const { view } = tryEdits([replace('result', '[cleared]')]);
  expect(view.entries[3]?.message).toEqual({
    role: 'tool',
    id: 'result',
    content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'read', output: '[cleared]' }],
  });
});

test('a replaced tool call gets the JSON object as its input', () => {
  const { view } = tryEdits([replace('call', '{}')]);
  expect(view.entries[2]?.message.content).toEqual([
    { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: {} },
  ]);
});

describe('a merge', () => {
  test('puts one user message in the place of the first or the last message it covers', () => {
    const covered = ['question', 'answer'];
    const placed = (placement: 'first' | 'last') => tryEdits([merge(covered, 'in short', placement)]);
    const rest = ['critical', 'newest', 'open'];
    expect(placed('first').ids).toEqual(['system', 'ctx:r.0', 'call', 'result', ...rest]);
    expect(placed('last').ids).toEqual(['system', 'call', 'result', 'ctx:r.0', ...rest]);
    expect(placed('last').view.entries[3]?.message).toEqual({
      role: 'user',
      content: 'in short',
      summary: true,
    });
  });

  test('covers the message of an earlier merge by its id', () => {
    const { view, rejections } = tryEdits([
      merge(['question', 'answer'], words(6), 'last'),
      merge(['ctx:r.0', 'call', 'result'], 'shorter', 'last'),
    ]);
    expect(rejections).toEqual([]);
    const origins = view.entries.find(({ id }) => id === 'ctx:r.1')?.origins;
    expect(origins?.messages.map(({ id }) => id)).toEqual(['call', 'result', 'question', 'answer']);
  });

  test('that writes an earlier one again may be longer, with what it covers besides', () => {
    const first = merge(['question'], words(4));
    for (const covered of [['ctx:r.0'], ['ctx:r.0', 'answer']])
      expect(tryEdits([first, merge(covered, words(60))]).rejections).toEqual([]);
  });

  test('replaces an earlier merge by naming all its originals, but not only some', () => {
    const first = merge(['question', 'answer'], words(6));
    expect(tryEdits([first, merge(['question', 'answer'], 'shorter')]).rejections).toEqual([]);
    expect(tryEdits([first, merge(['question'], 'shorter')]).rejections).toEqual(['targets-exist']);
  });
});

test("the gate copies an edit, so its maker can't change it later", () => {
  let reads = 0;
  const messages = ['question'];
  const edit = {
    type: 'drop',
    messages,
    get reason() {
      reads += 1;
      return `read ${reads}`;
    },
  };
  const { accepted } = tryEdits([edit]);
  messages[0] = 'system';
  expect(accepted).toEqual([{ type: 'drop', messages: ['question'], reason: 'read 1' }]);
  expect(reads).toBe(1);
});

test('some calls stay if the message would otherwise end in the reasoning that led to them', () => {
  const thinking = { type: 'reasoning' as const, text: 'what is in b?' };
  const asked = call('a', 'read', {});
  const messages = transcript(
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look' },
        ...partsOf(asked),
        thinking,
        ...partsOf(call('b', 'read', {})),
      ],
      id: 'ask',
    } as Message,
    result('a', 'A', { id: 'a' }),
    result('b', words(9), { id: 'b' }),
    assistant('done'),
  );
  const without = (id: string) => held(messages).rejections([dropCalls(['ask', id], [id])]);
  expect(without('b')).toEqual(['reasoning-unaltered']);
  expect(without('a')).toEqual([]);
});
