import { and, assistant, call, result, transcript, user, words } from '@ctx/testing';
import type { Edit, Message } from '../../src/index.js';
import { drop, dropCalls, merge as mergeOf, replace } from '../edits.js';
import { held as heldBy } from '../held.js';

const held = (messages: readonly Message[]) => heldBy(messages, { count: (text) => text.length }, 1);
const rejections = (messages: readonly Message[], ...edits: Edit[]) => held(messages).rejections(edits);
const merge = (...messages: string[]) => mergeOf(messages, 'x', 'last');

describe('a message the model has not read yet', () => {
  const working = transcript(
    user(words(9), { id: 'task' }),
    call('a', 'read', {}, { id: 'read-call' }),
    result('a', words(90), { id: 'read' }),
    and(call('b', 'run', {}, { id: 'unread-call' }), call('c', 'run', {})),
    result('b', words(90), { id: 'unread-b' }),
    result('c', words(90), { id: 'unread-c' }),
  );

  test('is neither dropped nor merged, because the agent would repeat the same calls', () => {
    expect(rejections(working, drop('unread-call', 'unread-b', 'unread-c'))).toEqual(['unread-stays']);
    expect(rejections(working, merge('unread-call', 'unread-b', 'unread-c'))).toEqual(['unread-stays']);
    expect(
      rejections(
        [and(assistant('two'), call('a', 'run')), result('a', 'x')].map((message, index) => ({
          ...message,
          id: `m${index}`,
        })),
        dropCalls(['m0', 'm1'], ['a']),
      ),
    ).toEqual(['unread-stays']);
  });

  const shorten = (message: string) => replace(message, 'short');

  test('keeps its text, and so do the task and the call that asked for it', () => {
    expect(rejections(working, shorten('unread-b'), shorten('unread-c'))).toEqual([
      'unread-stays',
      'unread-stays',
    ]);
    expect(rejections(working, shorten('task'))).toEqual(['newest-user-stays']);
    expect(rejections(working, shorten('read'))).toEqual([]);
  });

  test('may be shortened, but does not leave, if all that must stay is larger than the window', () => {
    const crowded = held(working);
    const rejected = (edit: Edit) => crowded.rejections([edit], { mayShorten: true });
    for (const id of ['unread-b', 'unread-c', 'task']) expect(rejected(shorten(id))).toEqual([]);
    expect(rejected(drop('unread-call', 'unread-b', 'unread-c'))).toEqual(['unread-stays']);
    expect(rejected(drop('task'))).toEqual(['newest-user-stays']);
  });

  test('is any after the newest message of the assistant, whether of a user or a tool', () => {
    const messages = transcript(
      user('why?', { id: 'question' }),
      assistant('because', { id: 'answer' }),
      user(words(9), { id: 'more' }),
      user('and now?', { id: 'newest' }),
    );
    expect(rejections(messages, drop('more'))).toEqual(['unread-stays']);
    expect(rejections(messages, drop('newest'))).toEqual(['newest-user-stays']);
    expect(rejections(messages, drop('answer'), drop('question'))).toEqual([]);
  });
});
