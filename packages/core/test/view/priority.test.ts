import type { Message } from '@ctx/core';
import { and, assistant, call, deepFreeze, result, system, user } from '@ctx/testing';
import { assignPriority, type PriorityPreset } from '../../src/view/priority.js';

interface Where {
  readonly index?: number;
  readonly count?: number;
  readonly tokens?: number;
}

const amidst = { index: 10, count: 20, tokens: 100 };
const priorityOf = (message: Message, where: Where = {}, preset?: PriorityPreset) =>
  assignPriority({ message, ...amidst, ...where }, preset);

describe.each<PriorityPreset>(['default', 'by-length'])('by the rules of %s', (preset) => {
  test.each<[string, string, Message, Where]>([
    ['a priority of the message itself is kept', 'NORMAL', system('x', { priority: 'NORMAL' }), {}],
    ['the system prompt is CRITICAL', 'CRITICAL', system('x'), { tokens: 900 }],
    ['a tool result is HIGH', 'HIGH', result('a', 'ok'), { tokens: 2 }],
    ['the first message is HIGH', 'HIGH', assistant('ok'), { index: 0, tokens: 2 }],
    ['the second message is HIGH', 'HIGH', assistant('ok'), { index: 1, tokens: 2 }],
    ['the third message is not', 'LOW', assistant('ok'), { index: 2, tokens: 2 }],
    ['the last message but one is HIGH', 'HIGH', assistant('ok'), { index: 18, tokens: 2 }],
    ['the last message but two is not', 'LOW', assistant('ok'), { index: 17, tokens: 2 }],
    ['over 800 tokens are HIGH', 'HIGH', assistant('long'), { tokens: 801 }],
    ['800 tokens are not', 'NORMAL', assistant('long'), { tokens: 800 }],
    ['under 20 tokens are LOW', 'LOW', assistant('ok'), { tokens: 19 }],
    ['20 tokens are not', 'NORMAL', assistant('ok'), { tokens: 20 }],
    ['a short question is NORMAL', 'NORMAL', assistant('which one?'), { tokens: 4 }],
    ['a short question in Chinese is NORMAL', 'NORMAL', assistant('哪一个？'), { tokens: 4 }],
    ['a tool call is HIGH, however short', 'HIGH', call('a', 'read'), { tokens: 4 }],
    ['a call with a short text is HIGH', 'HIGH', and(assistant('ok'), call('a', 'read')), { tokens: 9 }],
    ['all else is NORMAL', 'NORMAL', user('go on with the next one'), {}],
  ])('%s', (_title, priority, message, where) => {
    expect(priorityOf(deepFreeze(message), where, preset)).toBe(priority);
  });
});

test("a user's short message is LOW by length, but not by default", () => {
  expect(priorityOf(user('use Redis'), { tokens: 4 }, 'by-length')).toBe('LOW');
  expect(priorityOf(user('use Redis'), { tokens: 4 })).toBe('NORMAL');
});
