import { type Message, partsOf, type ToolResultPart } from '@ctx/core';
import { resultsInPlace } from '@ctx/core/codec';
import { and, call, user } from '@ctx/testing';
import fc from 'fast-check';
import { isStrayResult } from '../../src/transcript/results-in-place.js';
import { Transcript } from '../../src/transcript/transcript.js';

const calls = (...ids: string[]) => and(...ids.map((id) => call(id, 'read')));
const result = (toolCallId: string, output = `result of ${toolCallId}`): ToolResultPart => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'read',
  output,
});
const results = (...all: (string | ToolResultPart)[]): Message => ({
  role: 'tool',
  content: all.map((one) => (typeof one === 'string' ? result(one) : one)),
});

/** What each message says, in short. */
const said = (messages: readonly Message[]) =>
  messages.map((message) => {
    const parts = partsOf(message).map((part) =>
      'toolCallId' in part ? part.toolCallId : part.type === 'text' ? part.text : part.type,
    );
    return `${message.role}: ${parts.join(' ')}`;
  });

const stray = (output: string) => `user: [Result of read: its call is not in the conversation]\n${output}`;

test.each<[string, Message[], string[]]>([
  [
    'without its call becomes a text',
    [user('go'), results('a'), calls('b'), results('b')],
    ['user: go', stray('result of a'), 'assistant: b', 'tool: b'],
  ],
  [
    'that is there twice is sent once',
    [user('go'), calls('a'), results('a'), results('a'), user('on')],
    ['user: go', 'assistant: a', 'tool: a', 'user: on'],
  ],
  [
    'that is there twice, once without an id of its call, is sent once',
    [user('go'), calls('a'), results('a'), results(result('unnamed-none-0', 'result of a'))],
    ['user: go', 'assistant: a', 'tool: a'],
  ],
  [
    'that comes again and says something else becomes a text',
    [calls('a'), results('a'), user('on'), results(result('a', 'new'))],
    ['assistant: a', 'tool: a', 'user: on', stray('new')],
  ],
  [
    'before its call is moved behind it',
    [user('go'), results('a'), calls('a'), user('on')],
    ['user: go', 'assistant: a', 'tool: a', 'user: on'],
  ],
  [
    "later than the user's word is moved to its call",
    [calls('a', 'b'), results('a'), user('wait'), results('b')],
    ['assistant: a b', 'tool: a', 'tool: b', 'user: wait'],
  ],
  [
    'later than another call is moved to its own',
    [calls('a'), calls('b'), results('a', 'b')],
    ['assistant: a', 'tool: a', 'assistant: b', 'tool: b'],
  ],
  [
    'among others becomes a text after them',
    [calls('a', 'b'), results('x'), results('a'), results('b')],
    ['assistant: a b', 'tool: a', 'tool: b', stray('result of x')],
  ],
  [
    'of an id that is used again goes to the newest call',
    [calls('a'), results('a'), calls('a'), user('wait'), results(result('a', 'new'))],
    ['assistant: a', 'tool: a', 'assistant: a', 'tool: a', 'user: wait'],
  ],
])('a result %s', (_, history, expected) => {
  expect(said(resultsInPlace(history))).toEqual(expected);
});

test('a picture of a result without its call stays a picture, and a failure is called one', () => {
  const image = { type: 'image' as const, image: 'iVBORw0KGgo=' };
  const history: Message[] = [
    results({
      ...result('a'),
      isError: true,
      output: { type: 'content', value: [{ type: 'text', text: 'no' }, image] },
    }),
  ];
  expect(resultsInPlace(history)).toEqual([
    { role: 'user', content: [{ type: 'text', text: '[Result of read: failed]\nno' }, image] },
  ]);
});

test('a history without such a result is the same list, and its messages are the same objects otherwise', () => {
  const history = [user('go'), calls('a'), results('a'), calls('b'), user('on')];
  expect(resultsInPlace(history)).toBe(history);
  const broken = [...history, results('x')];
  for (const [at, message] of resultsInPlace(broken).slice(0, 5).entries()) expect(message).toBe(history[at]);
});

test('a result without its call is neither the task nor the newest word of the user', () => {
  const transcript = new Transcript();
  for (const message of resultsInPlace([user('fix it'), calls('a'), results('a'), results('x')]))
    transcript.append(message);
  expect(transcript.newestUser?.message).toEqual(user('fix it'));
  expect(transcript.task?.message).toEqual(user('fix it'));
});

test('any history can be appended, nothing that a result says is lost, and mending again changes nothing', () => {
  const id = fc.constantFrom('a', 'b', 'c');
  const message = fc.oneof(
    fc.constant(user('go')),
    fc.uniqueArray(id, { minLength: 1, maxLength: 3 }).map((ids) => calls(...ids)),
    fc
      .array(fc.tuple(id, fc.constantFrom('one', 'two')), { minLength: 1, maxLength: 3 })
      .map((all) => results(...all.map(([one, output]) => result(one, `${one} ${output}`)))),
  );
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), (history) => {
      const before = structuredClone(history);
      const mended = resultsInPlace(history);
      expect(history).toEqual(before);
      const transcript = new Transcript();
      for (const one of mended) transcript.append(one);
      expect(resultsInPlace(mended)).toBe(mended);
      const text = JSON.stringify(mended);
      const outputs = history.flatMap((one) =>
        one.role === 'tool' ? one.content.map(({ output }) => output) : [],
      );
      for (const output of outputs) expect(text).toContain(output as string);
      expect(mended.filter((one) => one.role !== 'tool' && !isStrayResult(one))).toEqual(
        history.filter(({ role }) => role !== 'tool'),
      );
    }),
  );
});
