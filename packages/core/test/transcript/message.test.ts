import {
  isErrorResult,
  messageSchema,
  messageText,
  outputText,
  type Part,
  parseMessage,
  partsOf,
  partText,
  type ToolOutput,
  type ToolResultPart,
  ValidationError,
} from '@ctx/core';
import { and, assistant, call, deepFreeze, result, system, user } from '@ctx/testing';
import { z } from 'zod';
import { thrownBy } from '../thrown-by.js';

const refusal = (value: unknown) => thrownBy(() => parseMessage(value, 4));

describe('a message is accepted', () => {
  test.each<[string, unknown]>([
    ['of the system', system('You help.')],
    ['of a user', user([{ type: 'text', text: 'look' }])],
    ['with an image', user([{ type: 'image', image: 'https://x/y.png' }])],
    ['with a file', user([{ type: 'file', data: 'aGk=', mediaType: 'text/plain' }])],
    ['with a part no codec knows', user([{ type: 'opaque', value: { odd: true } }])],
    ['with reasoning alone', assistant([{ type: 'reasoning', text: 'hm' }])],
    ['whose call takes no input', assistant([{ ...partsOf(call('a', 'now'))[0], input: undefined } as Part])],
    ['of a tool', result('a', 'done')],
    ['whose result is empty', result('a', '')],
  ])('%s', (_title, value) => {
    expect(parseMessage(deepFreeze(value), 0)).toBe(value);
  });

  test('as the same object, with any other keys kept', () => {
    const value = { role: 'user', content: 'hi', cache_control: { type: 'ephemeral' }, native: { id: 7 } };
    expect(parseMessage(value, 0)).toBe(value);
    expect(value).toHaveProperty('cache_control');
  });
});

describe('a message is refused, with its place,', () => {
  test.each<[string, unknown, string]>([
    ['that is not an object', 'hello', 'messages[4]'],
    ['that is null', null, 'messages[4]'],
    ['that is a list', [user('hi')], 'messages[4]'],
    ['without a role', { content: 'hi' }, 'messages[4].role'],
    ['with an unknown role', { role: 'function', content: 'hi' }, 'messages[4].role'],
    ['without content', { role: 'user' }, 'messages[4].content'],
    ['with content null', { role: 'assistant', content: null }, 'messages[4].content'],
    ['of a tool with text', { role: 'tool', content: 'done' }, 'messages[4].content'],
    ['of a user with a tool call', { ...call('a', 'read'), role: 'user' }, 'messages[4].content[0].type'],
    ['with a part of an unknown type', user([{ type: 'video' } as never]), 'messages[4].content[0].type'],
    ['with a text part without text', user([{ type: 'text' } as never]), 'messages[4].content[0].text'],
    ['whose result names no call', result(undefined as never, ''), 'messages[4].content[0].toolCallId'],
    ['whose result has no output', result('a', undefined as never), 'messages[4].content[0].output'],
    ['with an unknown priority', user('hi', { priority: 'URGENT' as 'LOW' }), 'messages[4].priority'],
    ['with an invalid time', user('hi', { createdAt: Number.NaN }), 'messages[4].createdAt'],
    ['with an empty id', user('hi', { id: '' }), 'messages[4].id'],
    ['with metadata that is not an object', { ...user('hi'), metadata: 'x' }, 'messages[4].metadata'],
  ])('%s', (_title, value, place) => {
    const error = refusal(value);
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({ code: 'message-invalid', place, message: expect.stringContaining(place) });
    expect(error.remedy).toContain('A message is { role: system | user | assistant | tool, content }');
  });

  test.each<[string, unknown]>([
    ['an empty text', user('')],
    ['no parts', user([])],
    ['nothing but empty texts', assistant([{ type: 'text', text: '' }])],
    ['no results', { role: 'tool', content: [] }],
  ])('that has %s', (_title, value) => {
    expect(refusal(value)).toMatchObject({ code: 'message-empty', place: 'messages[4].content' });
  });

  test('with two calls that share an id', () => {
    const twice = and(call('a', 'read'), call('b', 'read'), call('a', 'run'));
    expect(refusal(twice)).toMatchObject({ code: 'tool-call-id-duplicate', value: 'a' });
  });
});

describe('the text of', () => {
  test.each<[string, ToolOutput, string]>([
    ['a plain output', 'done', 'done'],
    ['a text', { type: 'text', value: 'done' }, 'done'],
    ['an error', { type: 'error-text', value: 'no such file' }, 'no such file'],
    ['JSON', { type: 'json', value: { a: [1, null] } }, '{"a":[1,null]}'],
    ['an error in JSON', { type: 'error-json', value: { code: 7 } }, '{"code":7}'],
    ['nothing as JSON', { type: 'json', value: undefined }, ''],
    [
      'several parts',
      {
        type: 'content',
        value: [
          { type: 'text', text: 'a' },
          { type: 'image', image: 'https://x/y' },
          { type: 'text', text: 'b' },
        ],
      },
      'a\nb',
    ],
  ])('%s', (_title, output, text) => {
    expect(outputText(output)).toBe(text);
  });

  test('a value without JSON, such as a BigInt or a cycle, is its keys and texts', () => {
    const cyclic: Record<string, unknown> = { name: 'root', size: 12n };
    cyclic.self = cyclic;
    expect(outputText({ type: 'json', value: cyclic })).toBe('name: root\nsize: 12\nself: ');
  });

  test('a message is its texts and results, without its calls and reasoning', () => {
    const message = assistant([
      { type: 'reasoning', text: 'secret' },
      { type: 'text', text: 'first' },
      { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: { path: 'x' } },
      { type: 'text', text: 'second' },
    ]);
    expect(messageText(message)).toBe('first\nsecond');
    expect(messageText(result('a', 'out'))).toBe('out');
    expect(partText(undefined)).toBeUndefined();
  });
});

test('a result is an error by its flag, otherwise by its type', () => {
  const part = (fields: Partial<ToolResultPart>) =>
    isErrorResult({ type: 'tool-result', toolCallId: 'a', toolName: 'x', output: '', ...fields });
  expect(part({})).toBe(false);
  expect(part({ isError: true })).toBe(true);
  expect(part({ output: { type: 'error-text', value: 'x' } })).toBe(true);
  expect(part({ output: { type: 'error-json', value: {} }, isError: false })).toBe(false);
});

test('what a schema refuses is said in words', () => {
  expect(() => parseMessage({ role: 'user', content: 'Hi.', createdAt: 'today' }, 0)).toThrow(
    'Invalid input: expected number, received string',
  );
  expect(() => parseMessage({ role: 'user', content: 'Hi.', id: '' }, 0)).toThrow(
    'Too small: expected string to have >=1 characters',
  );
});

test('the schema may be part of another', () => {
  const history = z.object({ messages: z.array(messageSchema).optional() });
  expect(history.safeParse({ messages: [{ role: 'user', content: 'Hi.' }] }).success).toBe(true);
  expect(history.safeParse({ messages: [{ role: 'nobody', content: 'Hi.' }] }).success).toBe(false);
});
