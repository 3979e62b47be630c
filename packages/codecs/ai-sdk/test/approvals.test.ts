import {
  type AnyModelMessage,
  type AnyPromptMessage,
  modelMessageCodec,
  promptCodec,
} from '@ctx/codec-ai-sdk';
import { ContextManager, type Message, partsOf } from '@ctx/core';

const call = (toolCallId: string, more: object = {}) => {
  return { type: 'tool-call' as const, toolCallId, toolName: 'remove', input: {}, ...more };
};
const request = (toolCallId: string) => {
  return { type: 'tool-approval-request' as const, approvalId: `ok-${toolCallId}`, toolCallId };
};
const response = (toolCallId: string, more: object = {}) => {
  return { type: 'tool-approval-response' as const, approvalId: `ok-${toolCallId}`, approved: true, ...more };
};
const result = (toolCallId: string) => ({
  type: 'tool-result' as const,
  toolCallId,
  toolName: 'remove',
  output: { type: 'text' as const, value: 'removed' },
});
const user = { role: 'user' as const, content: [{ type: 'text' as const, text: 'remove it' }] };

const typesOf = (messages: readonly Message[]) =>
  messages.map((message) => `${message.role}: ${partsOf(message).map(({ type }) => type)}`);

function accepted(messages: readonly Message[]): readonly Message[] {
  const manager = new ContextManager({ config: { contextWindow: 100_000 } });
  for (const message of messages) manager.append(message);
  return manager.view();
}

test('an approval goes with the result of the call that it allows', () => {
  const native: AnyModelMessage[] = [
    user,
    { role: 'assistant', content: [call('a'), request('a')] },
    { role: 'tool', content: [response('a')] },
    { role: 'tool', content: [result('a')] },
  ];
  const messages = modelMessageCodec.toMessages(native);
  expect(typesOf(messages)).toEqual(['user: text', 'assistant: tool-call,opaque', 'tool: tool-result']);
  const back = modelMessageCodec.fromMessages(accepted(messages));
  expect(back.every((one, index) => one === native[index])).toBe(true);
  expect(modelMessageCodec.fromMessages(JSON.parse(JSON.stringify(messages)))).toEqual(native);
});

test('an approval behind the results stays behind them, also in an edited message', () => {
  const native: AnyModelMessage[] = [
    user,
    { role: 'assistant', content: [call('a'), request('a')] },
    { role: 'tool', content: [result('a')] },
    { role: 'tool', content: [response('a')] },
  ];
  const messages = modelMessageCodec.toMessages(native);
  expect(modelMessageCodec.fromMessages(accepted(messages))).toEqual(native);
  const [asked, called, answered] = messages as [Message, Message, Message];
  const [part] = partsOf(answered);
  const shorter = { ...answered, content: [{ ...part, output: 'gone' }] } as Message;
  expect(modelMessageCodec.fromMessages([asked, called, shorter]).slice(2)).toEqual([
    { role: 'tool', content: [{ ...result('a'), output: { type: 'text', value: 'gone' } }] },
    { role: 'tool', content: [response('a')] },
  ]);
});

test('an approval that waits for the SDK answers its call', () => {
  const native: AnyModelMessage[] = [
    user,
    { role: 'assistant', content: [call('a'), request('a'), call('b')] },
    { role: 'tool', content: [result('b'), response('a', { approved: false, reason: 'no' })] },
  ];
  const messages = modelMessageCodec.toMessages(native);
  expect(typesOf(messages)[2]).toBe('tool: tool-result,tool-result');
  expect(modelMessageCodec.fromMessages(accepted(messages))).toEqual(native);
  expect(modelMessageCodec.validate(native)).toEqual([]);
});

test('an approval that is read by itself finds its call in the messages before', () => {
  const before = modelMessageCodec.toMessages([
    user,
    { role: 'assistant', content: [call('a'), request('a')] },
  ]);
  const native: AnyModelMessage[] = [{ role: 'tool', content: [response('a')] }];
  const messages = modelMessageCodec.toMessages(native, { after: before });
  expect(partsOf(messages[0] as Message)).toMatchObject([{ toolCallId: 'a', toolName: 'remove' }]);
  expect(modelMessageCodec.fromMessages(accepted([...before, ...messages])).at(-1)).toBe(native[0]);
});

const provided = { providerExecuted: true };

test('a call of the provider is opaque with its result, and a call where a tool message answers it', () => {
  const native: AnyModelMessage[] = [
    user,
    { role: 'assistant', content: [call('a', provided), result('a'), call('b', provided), request('b')] },
    { role: 'tool', content: [response('b', provided)] },
    { role: 'assistant', content: [call('b', provided), result('b')] },
    user,
  ];
  const messages = modelMessageCodec.toMessages(native);
  expect(typesOf(messages)).toEqual([
    'user: text',
    'assistant: opaque,opaque,tool-call,opaque',
    'tool: tool-result',
    'assistant: opaque,opaque',
    'user: text',
  ]);
  const back = modelMessageCodec.fromMessages(accepted(messages));
  expect(back.every((one, index) => one === native[index])).toBe(true);
});

test('a request that nobody answered leaves no open call behind', () => {
  const native: AnyModelMessage[] = [
    user,
    { role: 'assistant', content: [call('b', provided), request('b')] },
    user,
  ];
  const messages = modelMessageCodec.toMessages(native);
  expect(typesOf(messages)[1]).toBe('assistant: opaque,opaque');
  expect(accepted(messages)).toHaveLength(3);
});

test('in a prompt, which has no requests, approvals answer the open calls of the provider in order', () => {
  const native: AnyPromptMessage[] = [
    user,
    { role: 'assistant', content: [call('a'), call('b', provided), call('c', provided)] },
    { role: 'tool', content: [result('a'), response('b'), response('c')] },
  ];
  const messages = promptCodec.toMessages(native);
  expect(partsOf(messages[2] as Message)).toMatchObject([
    { toolCallId: 'a' },
    { toolCallId: 'b' },
    { toolCallId: 'c' },
  ]);
  const back = promptCodec.fromMessages(accepted(messages));
  expect(back.every((one, index) => one === native[index])).toBe(true);
});
