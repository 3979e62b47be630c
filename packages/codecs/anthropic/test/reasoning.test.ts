import { type AnthropicConversation, anthropicCodec } from '@ctx/codec-anthropic';
import { type Message, MessageCounter, partsOf } from '@ctx/core';

const { toMessages, fromMessages, validate } = anthropicCodec;

const conversation = (...messages: object[]) => ({ messages }) as AnthropicConversation;
const use = (id: string, more = {}) => ({ type: 'tool_use', id, name: 'read', input: {}, ...more });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' });
const thinking = (signature: string, text = '') => ({ type: 'thinking', thinking: text, signature });
const redacted = (data: string) => ({ type: 'redacted_thinking', data });
const text = (value: string, more = {}) => ({ type: 'text', text: value, ...more });
const go = { role: 'user', content: 'go' };
const contentsOf = ({ messages }: AnthropicConversation) => messages.map(({ content }) => content);

test('thinking without a text, and redacted thinking, are reasoning', () => {
  const [, said] = toMessages(
    conversation(go, {
      role: 'assistant',
      content: [thinking('c2ln'), redacted('b3Bh'), thinking('c2ln', 'hm'), text('ok')],
    }),
  ) as Message[];
  expect(said?.content).toEqual([
    { type: 'reasoning', text: '', encrypted: 'c2ln' },
    { type: 'reasoning', text: '', encrypted: 'b3Bh' },
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: 'ok' },
  ]);
});

test('thinking without a text breaks no rule', () => {
  const native = conversation(
    go,
    { role: 'assistant', content: [thinking('c2ln'), use('a')] },
    { role: 'user', content: [result('a')] },
    { role: 'assistant', content: [thinking('c2lo')] },
    go,
  );
  expect(validate(native).map(({ rule }) => rule)).toEqual(['thinking-not-last']);
});

test('encrypted reasoning costs what it would as text', () => {
  const counter = new MessageCounter({ count: (value) => Math.ceil(value.length / 4) });
  const tokensOf = (block: object) =>
    counter.message(toMessages(conversation({ role: 'assistant', content: [block] }))[0] as Message);
  const base64 = btoa('x'.repeat(3000));
  const plain = tokensOf(thinking('c2ln', 'x'.repeat(3000)));
  expect(plain).toMatchObject({ tokens: 753, estimated: false });
  expect(tokensOf(redacted(base64))).toMatchObject({ tokens: 753, estimated: true });
  expect(tokensOf(thinking(base64))).toMatchObject({ tokens: 753, estimated: true });
});

test('of two blocks of reasoning that say the same, the later one is kept where the first has left', () => {
  const native = { role: 'assistant', content: [thinking('1'), redacted('2'), text('both'), redacted('2')] };
  const [message] = toMessages(conversation(native)) as [Message];
  const content = partsOf(message).slice(2);
  const [back] = fromMessages([{ ...message, content } as Message]).messages;
  expect(back?.content[1]).toBe(native.content[3]);
});

describe('a turn of the assistant that several messages make up', () => {
  const said = { role: 'assistant', content: [text('I look.')] };
  const called = { role: 'assistant', content: [thinking('1'), use('a')] };
  const answered = { role: 'user', content: [result('a')] };
  const later = [{ role: 'assistant', content: 'Done.' }, go];
  const joined = [thinking('1'), ...said.content, use('a')];

  const view = (...after: object[]) => {
    const [first, one, , ...rest] = toMessages(
      conversation(go, said, go, called, answered, ...after),
    ) as Message[];
    return fromMessages([first, one, ...rest] as Message[]);
  };

  test('begins with its thinking, and stays so when the conversation goes on', () => {
    expect(contentsOf(view())).toEqual(['go', joined, [result('a')]]);
    expect(contentsOf(view(...later))).toEqual(['go', joined, [result('a')], 'Done.', 'go']);
    expect(contentsOf(view(...later, called, answered)).slice(0, 5)).toEqual(contentsOf(view(...later)));
  });

  test('is left as it is without its thinking: nothing has to be moved', () => {
    const native = conversation(go, said, go, called, answered);
    const [first, one, , call, answer] = toMessages(native) as Message[];
    const silent = { ...call, content: partsOf(call as Message).slice(1) };
    expect(contentsOf(fromMessages([first, one, silent, answer] as Message[]))).toEqual([
      'go',
      said.content,
      [use('a')],
      [result('a')],
    ]);
  });
});

test('a summary that the API wrote is pinned, and comes back', () => {
  const native = conversation(
    { role: 'assistant', content: [{ type: 'compaction', content: 'They spoke.' }, text('Go on.')] },
    go,
  );
  const messages = toMessages(native);
  expect(messages.map(({ pinned, summary }) => [pinned, summary])).toEqual([
    [true, true],
    [undefined, undefined],
  ]);
  expect(partsOf(messages[0] as Message)[0]).toEqual({
    type: 'opaque',
    value: native.messages[0]?.content[0],
  });
  expect(fromMessages(messages).messages[0]).toBe(native.messages[0]);
});
