import { type AnyModelMessage, modelMessageCodec } from '@ctx/codec-ai-sdk';
import { type Message, partsOf } from '@ctx/core';

const { toMessages, fromMessages } = modelMessageCodec;
const call = (path: string) => ({ type: 'tool-call', toolCallId: '', toolName: 'read', input: { path } });
const result = (value: string) => {
  return { type: 'tool-result', toolCallId: '', toolName: 'read', output: { type: 'text', value } };
};

test('calls without ids keep their results where another result of the message is gone', () => {
  const messages = toMessages([
    { role: 'assistant', content: [call('a'), call('b')] },
    { role: 'tool', content: [result('A'), result('B')] },
  ] as AnyModelMessage[]);
  const left = (JSON.parse(JSON.stringify(messages)) as Message[]).map(
    (message) => ({ ...message, content: partsOf(message).slice(1) }) as Message,
  );
  expect(fromMessages(left)).toEqual([
    { role: 'assistant', content: [call('b')] },
    { role: 'tool', content: [result('B')] },
  ]);
});
