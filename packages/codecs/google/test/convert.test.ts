import { type GoogleConversation, googleCodec } from '@ctx/codec-google';
import { type Message, parseMessage, partsOf } from '@ctx/core';
import { Transcript } from '@ctx/core/kit';
import * as core from '@ctx/testing';
import type { GoogleContent } from '../src/content.js';

const { toMessages, fromMessages, validate } = googleCodec;
const { and, result, transcript } = core;

const user = (...parts: object[]) => ({ role: 'user', parts }) as GoogleContent;
const model = (...parts: object[]) => ({ role: 'model', parts }) as GoogleContent;
const text = (value: string) => ({ text: value });
const call = (name: string, more = {}) => ({ functionCall: { name, args: {} }, ...more });
const answer = (name: string, output: string, more = {}) => ({
  functionResponse: { name, response: { output }, ...more },
});
const ids = (messages: readonly Message[]) =>
  messages.map((message) =>
    partsOf(message).flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : [])),
  );
const replaced = (message: Message, at: number, part: object) =>
  ({ ...message, content: partsOf(message).map((old, index) => (index === at ? part : old)) }) as Message;

test('a result that was missing answers calls without ids, and gets none', () => {
  const contents = [user(text('go')), model(call('read'), call('grep'), call('read'))];
  const [go, called] = toMessages(contents) as [Message, Message];
  const transcript = new Transcript();
  for (const message of [go, called, ...toMessages([user(text('stop'))], { after: [go, called] })])
    transcript.append(message);
  const native = fromMessages([...transcript].map(({ message }) => message));
  expect(native.contents[2]).toEqual({
    role: 'user',
    parts: ['read', 'grep', 'read'].map((name) => ({
      functionResponse: { name, response: { error: '[No result: the call was interrupted]' } },
    })),
  });
  expect(validate(native)).toEqual([]);
});

describe('ids', () => {
  const named = (id: string, kind: 'functionCall' | 'functionResponse') => ({ [kind]: { id, name: 'read' } });

  test('win over names and order', () => {
    const messages = toMessages([
      user(text('go')),
      model(named('a', 'functionCall'), named('b', 'functionCall')),
      user(named('b', 'functionResponse'), named('a', 'functionResponse')),
    ]);
    expect(ids(messages).slice(1)).toEqual([
      ['a', 'b'],
      ['b', 'a'],
    ]);
  });

  test('that only the call has, or only the response, do not keep them apart', () => {
    const go = user(text('go'));
    const contents = [go, model(named('a', 'functionCall')), user({ functionResponse: { name: 'read' } })];
    expect(ids(toMessages(contents))).toEqual([[], ['a'], ['a']]);
    const other = [go, model({ functionCall: { name: 'read' } }), user(named('x', 'functionResponse'))];
    const messages = toMessages(other);
    expect(ids(messages)).toEqual([[], ['unnamed_1_0'], ['unnamed_1_0']]);
    fromMessages(messages).contents.forEach((content, index) => {
      expect(content).toBe(other[index]);
    });
  });

  test('of a response that answers no call stay, so that core refuses it', () => {
    expect(ids(toMessages([user(named('x', 'functionResponse'))]))).toEqual([['x']]);
  });
});

test.each([
  [{ output: 'long' }, { type: 'text', value: 'long' }, { output: 'cut' }],
  [{ result: 'long' }, { type: 'text', value: 'long' }, { result: 'cut' }],
  [{ error: 'long' }, { type: 'text', value: 'long' }, { error: 'cut' }],
  [
    { stdout: 'long', exitCode: 0 },
    { type: 'json', value: { stdout: 'long', exitCode: 0 } },
    { output: 'cut' },
  ],
  [{ error: 'no', hint: 'x' }, { type: 'json', value: { error: 'no', hint: 'x' } }, { error: 'cut' }],
  [{ error: null, text: 'x' }, { type: 'json', value: { error: null, text: 'x' } }, { output: 'cut' }],
])('the response %j is read, and wrapped again after it was shortened', (response, output, shorter) => {
  const answered = user({ functionResponse: { name: 'read', response, scheduling: 'SILENT' } });
  const messages = toMessages([user(text('go')), model(call('read')), answered]);
  const [result] = partsOf(messages[2] as Message);
  expect(result).toMatchObject({ output, ...('error' in shorter && { isError: true }) });
  const cut = { ...result, output: { type: 'text', value: 'cut' } };
  const native = fromMessages(messages.with(2, replaced(messages[2] as Message, 0, cut)));
  expect(native.contents[2]?.parts).toEqual([
    { functionResponse: { name: 'read', response: shorter, scheduling: 'SILENT' } },
  ]);
});

test('a shortened JSON response stays an object of its own', () => {
  const answered = user({ functionResponse: { name: 'read', response: { stdout: 'long', exitCode: 0 } } });
  const messages = toMessages([user(text('go')), model(call('read')), answered]);
  const output = { type: 'json', value: { stdout: 'cut', exitCode: 0 } };
  const cut = { ...partsOf(messages[2] as Message)[0], output };
  const { contents } = fromMessages(messages.with(2, replaced(messages[2] as Message, 0, cut)));
  expect(contents[2]?.parts?.[0]?.functionResponse?.response).toEqual({ stdout: 'cut', exitCode: 0 });
});

test('a system instruction keeps its form', () => {
  for (const systemInstruction of [
    'be kind',
    { text: 'be kind' },
    ['be kind'],
    { parts: [{ text: 'be kind' }] },
  ]) {
    const native: GoogleConversation = { systemInstruction, contents: [user(text('go'))] };
    const messages = toMessages(native);
    expect(fromMessages(messages).systemInstruction).toBe(systemInstruction);
    const edited = { ...messages[0], content: [{ type: 'text', text: 'be brief' }] } as Message;
    expect(fromMessages([edited, messages[1] as Message]).systemInstruction).toEqual(
      JSON.parse(JSON.stringify(systemInstruction).replace('kind', 'brief')),
    );
  }
});

test('several system messages become one instruction', () => {
  const messages: Message[] = [
    { role: 'system', content: 'be kind' },
    ...toMessages({ systemInstruction: 'be brief', contents: [user(text('go'))] }),
  ];
  expect(fromMessages(messages).systemInstruction).toEqual({
    parts: [{ text: 'be kind' }, { text: 'be brief' }],
  });
  expect(fromMessages(messages.slice(0, 1)).systemInstruction).toEqual({ parts: [{ text: 'be kind' }] });
});

test('a list of contents alone is a conversation', () => {
  const contents = [user(text('go')), model(text('gone'))];
  expect(toMessages(contents)).toEqual(toMessages({ contents }));
  expect(fromMessages(toMessages(contents)).contents[1]).toBe(contents[1]);
});

describe('what Gemini would refuse once everything between two contents was dropped', () => {
  const contents = [
    user(text('go')),
    model(text('I look.')),
    user(text('do')),
    model(text('now'), call('read', { thoughtSignature: 'c2ln' })),
    user(answer('read', 'A')),
  ];

  test('becomes one content of the model, of the same parts', () => {
    const messages = toMessages(contents);
    const native = fromMessages(messages.toSpliced(2, 1));
    expect(native.contents.map(({ role }) => role)).toEqual(['user', 'model', 'user']);
    const parts = native.contents[1]?.parts;
    expect(parts).toEqual([text('I look.'), text('now'), call('read', { thoughtSignature: 'c2ln' })]);
    expect(parts?.[2]).toBe(contents[3]?.parts?.[1]);
    expect(validate({ ...native, model: 'gemini-3-pro' })).toEqual([]);
  });
});

describe('a call without a signature', () => {
  const skip = { thoughtSignature: 'skip_thought_signature_validator' };
  const parallel = [
    user(text('go')),
    model(call('read', { thoughtSignature: 'c2ln' }), call('grep')),
    user(answer('read', 'A'), answer('grep', 'B')),
  ];

  test('says so where the signed call before it has left', () => {
    const [go, called, answered] = toMessages(parallel) as [Message, Message, Message];
    const second = (message: Message) => ({ ...message, content: partsOf(message).slice(1) }) as Message;
    const native = fromMessages([go, second(called), second(answered)]);
    expect(native.contents[1]?.parts).toEqual([call('grep', skip)]);
    expect(validate({ ...native, model: 'gemini-3-pro-preview' })).toEqual([]);
  });

  test('says so where another provider wrote it, and gets none where its own model gave none', () => {
    const foreign = [core.user('go'), and(core.call('a', 'read', {}), core.call('b', 'read', {}))];
    const signatures = fromMessages(foreign).contents[1]?.parts?.map((part) => part.thoughtSignature);
    expect(signatures).toEqual([skip.thoughtSignature, undefined]);
    const contents = [user(text('go')), model(text('I look.'), call('read'))];
    const [go, said] = toMessages(contents) as [Message, Message];
    const edited = fromMessages([go, replaced(said, 0, { type: 'text', text: 'cut' })]);
    expect(edited.contents[1]?.parts).toEqual([text('cut'), call('read')]);
  });
});

test('an image or file that left keeps its signature, and no field of its data', () => {
  const inlineData = { mimeType: 'image/png', data: 'iVBORw0KGgo=' };
  const picture = { inlineData, mediaResolution: { level: 'LOW' }, thoughtSignature: 'c2ln' };
  const messages = toMessages([user(text('go')), model(picture, text('a cat'))]);
  const gone = replaced(messages[1] as Message, 0, { type: 'text', text: '[gone]' });
  const native = fromMessages(messages.with(1, gone));
  expect(native.contents[1]?.parts?.[0]).toEqual({ text: '[gone]', thoughtSignature: 'c2ln' });
});

test('messages of another provider', () => {
  const png = { type: 'image', image: 'iVBORw0KGgo=' } as const;
  const inlineData = { mimeType: 'image/png', data: 'iVBORw0KGgo=' };
  const messages = transcript(
    core.user([
      { type: 'image', image: 'data:image/webp;base64,iVBORw0KGgo=' },
      { type: 'image', image: 'https://example.org/a.png' },
      { type: 'file', data: 'JVBERi0=', mediaType: 'application/pdf', filename: 'a.pdf' },
      { type: 'text', text: '' },
      { type: 'text', text: 'look' },
      { type: 'opaque', value: { type: 'input_audio' } },
    ]),
    core.assistant([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'I look.' },
    ]),
    and(core.call('a', 'read', '{"path": "b'), core.call('b', 'read', '')),
    result('a', { type: 'content', value: [{ type: 'text', text: 'seen' }, png] }),
    result('b', 'bad', { isError: true }),
    core.user('thanks'),
  );
  const native = fromMessages(messages);
  expect(native).toEqual({
    contents: [
      user(
        { inlineData: { mimeType: 'image/webp', data: 'iVBORw0KGgo=' } },
        { fileData: { mimeType: 'image/png', fileUri: 'https://example.org/a.png' } },
        { inlineData: { mimeType: 'application/pdf', data: 'JVBERi0=', displayName: 'a.pdf' } },
        text('look'),
      ),
      model(
        text('I look.'),
        {
          functionCall: { id: 'a', name: 'read', args: { input: '{"path": "b' } },
          thoughtSignature: 'skip_thought_signature_validator',
        },
        { functionCall: { id: 'b', name: 'read', args: {} } },
      ),
      user(
        {
          functionResponse: { id: 'a', name: 'read', response: { output: 'seen' }, parts: [{ inlineData }] },
        },
        { functionResponse: { id: 'b', name: 'read', response: { error: 'bad' } } },
      ),
      user(text('thanks')),
    ],
  });
  expect(validate(native)).toEqual([]);
  expect(googleCodec.losses(messages).map(({ index, place }) => `${index} ${place}`)).toEqual([
    '0 content[3]',
    '0 content[5]',
    '1 content[0]',
  ]);
});

test('a timestamp becomes the time of the message, and its content comes back as it was', () => {
  const contents = [{ ...user(text('go')), timestamp: '2026-01-31T02:50:00.000Z' }];
  const [message] = toMessages(contents) as [Message];
  expect(message.createdAt).toBe(Date.parse('2026-01-31T02:50:00.000Z'));
  expect(parseMessage(message, 0)).toBe(message);
  expect(fromMessages([message]).contents[0]).toBe(contents[0]);
});
