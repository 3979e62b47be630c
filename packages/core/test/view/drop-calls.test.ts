import { and, assistant, call, deepFreeze, managerOf, result, transcript, user, words } from '@ctx/testing';
import { type Edit, type Message, partsOf } from '../../src/index.js';
import { dropCalls, planning } from '../edits.js';
import { heard } from '../heard.js';
import { held } from '../held.js';

const conversation = deepFreeze(
  transcript(
    user('go', { id: 'user' }),
    and(
      assistant('I look at both.', { id: 'ask' }),
      call('a', 'read', { path: 'a' }),
      call('b', 'run', { command: words(20) }),
    ),
    result('a', words(9), { id: 'result-a' }),
    result('b', words(50), { id: 'result-b' }),
    call('c', 'run', {}, { id: 'silent' }),
    and(result('c', words(30), { id: 'result-c' })),
    user('and?', { id: 'newest' }),
  ),
);

async function applied(edit: Edit, messages: readonly Message[] = conversation) {
  const manager = managerOf(messages);
  const rejected = heard(manager, 'edit-reject', ({ invariant }) => invariant);
  await manager.compress({ strategy: planning(edit), targetTokens: 0 });
  return { manager, rejected, view: manager.view() };
}

test('some calls of a message leave with their results, and everything else stays in place', async () => {
  const { view, manager } = await applied(dropCalls(['ask', 'result-b'], ['b']));
  expect(view).toEqual([
    conversation[0],
    and(assistant('I look at both.', { id: 'ask' }), call('a', 'read', { path: 'a' })),
    conversation[2],
    ...conversation.slice(4),
  ]);
  expect(view[2]).toBe(conversation[2]);
  manager.undo(manager.history[0]?.id as string);
  expect(manager.view()).toEqual(conversation);
});

test('the line for results that left stands before the call that stays, not between it and its result', async () => {
  const manager = managerOf(conversation, { config: { marker: true } });
  const strategy = planning(dropCalls(['ask', 'result-a'], ['a']));
  await manager.compress({ strategy, targetTokens: 0 });
  const ids = manager.view().map(({ id }) => id);
  expect(ids).toEqual(['user', undefined, 'ask', 'result-b', 'silent', 'result-c', 'newest']);
});

test('all calls may leave if the message says something else', async () => {
  const { view } = await applied(dropCalls(['ask', 'result-a', 'result-b'], ['a', 'b']));
  expect(view[1]).toEqual({
    role: 'assistant',
    id: 'ask',
    content: [{ type: 'text', text: 'I look at both.' }],
  });
  expect(view).toHaveLength(5);
});

test('one of several results in a tool message leaves, and the others stay', async () => {
  const together = transcript(
    and(call('a', 'read', { path: 'a' }, { id: 'ask' }), call('b', 'run', {})),
    and(result('a', words(9), { id: 'results' }), result('b', words(9))),
    assistant('both read'),
  );
  const { view } = await applied(dropCalls(['ask', 'results'], ['b']), together);
  expect(view).toMatchObject([
    { content: [{ toolCallId: 'a' }] },
    { content: [{ toolCallId: 'a', output: words(9) }] },
    { content: 'both read' },
  ]);
});

test.each<[string, string, Edit]>([
  ['leaves a call without its result', 'tool-pairs', dropCalls(['ask'], ['b'])],
  ['leaves a result without its call', 'tool-pairs', dropCalls(['result-b'], ['b'])],
  ['names a call that is not there', 'tool-pairs', dropCalls(['ask', 'result-b'], ['b', 'x'])],
  ['names a message without the calls', 'tool-pairs', dropCalls(['ask', 'result-a', 'result-b'], ['b'])],
  ['names two exchanges', 'tool-pairs', dropCalls(['ask', 'result-b', 'silent', 'result-c'], ['b', 'c'])],
  ['leaves a message that says nothing', 'content-not-empty', dropCalls(['silent', 'result-c'], ['c'])],
  ['names no call', 'targets-exist', dropCalls(['ask', 'result-b'], [])],
])('it is rejected if it %s', async (_what, invariant, edit) => {
  const { rejected, manager } = await applied(edit);
  expect(rejected).toEqual([invariant]);
  expect(manager.view()).toEqual(conversation);
});

test.each([
  ['blanks', { type: 'text', text: ' \n' }],
  ['a thought', { type: 'reasoning', text: 'what is in a?' }],
] as const)('%s are nothing that a message could say without its calls', async (_what, part) => {
  const asked = transcript(
    { ...and(call('a', 'read')), content: [part, ...partsOf(call('a', 'read'))], id: 'ask' } as Message,
    result('a', words(30), { id: 'result' }),
    assistant('it is A'),
    user('and?'),
  );
  const { rejected } = await applied(dropCalls(['ask', 'result'], ['a']), asked);
  expect(rejected).toEqual(['content-not-empty']);
});

test('tool messages that leave count against the messages that must stay', () => {
  const one = dropCalls(['ask', 'result-b'], ['b']);
  const { rejections } = held(conversation);
  expect(rejections([one], { minMessagesToKeep: 6 })).toEqual([]);
  expect(rejections([one], { minMessagesToKeep: 7 })).toEqual(['min-messages']);
});
