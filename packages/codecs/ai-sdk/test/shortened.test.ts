import { type AnyModelMessage, modelMessageCodec } from '@ctx/codec-ai-sdk';
import type { Message, ToolResultPart } from '@ctx/core';
import { replacePart } from '@ctx/core/kit';
import { modelMessageSchema } from 'ai-v6';

const native = (output: object): AnyModelMessage[] =>
  [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'read', input: {} }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'read', output }] },
  ] as AnyModelMessage[];
const providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };

function outputOf(messages: readonly Message[]): unknown {
  const [, tool] = modelMessageCodec.fromMessages(messages);
  expect(modelMessageSchema.safeParse(tool).success).toBe(true);
  const [part] = (tool?.content ?? []) as readonly { output?: unknown }[];
  return part?.output;
}

test.each([
  [
    { type: 'text', value: 'long', providerOptions },
    { type: 'text', value: '…', providerOptions },
  ],
  [
    { type: 'json', value: { a: 'long' } },
    { type: 'text', value: '…' },
  ],
  [
    { type: 'error-text', value: 'long' },
    { type: 'error-text', value: '…' },
  ],
  [
    { type: 'error-json', value: { a: 'long' } },
    { type: 'error-text', value: '…' },
  ],
  [
    { type: 'execution-denied', reason: 'no' },
    { type: 'error-text', value: '…' },
  ],
  [
    {
      type: 'content',
      value: [
        { type: 'image-data', data: 'iVBORw0KGgo=', mediaType: 'image/png', providerOptions },
        { type: 'text', text: 'long' },
      ],
    },
    { type: 'content', value: [{ type: 'text', text: '…', providerOptions }] },
  ],
])('an output that core shortens stays an output, also if no codec has read it: %j', (output, shorter) => {
  const [call, tool] = modelMessageCodec.toMessages(native(output)) as [Message, Message];
  expect(outputOf([call, replacePart(tool, { part: 0, text: '…' }) as Message])).toEqual(shorter);
  if (output.type === 'execution-denied') return;
  const unread = native(output)[1] as Message;
  const cut = replacePart(unread, { part: 0, text: '…' });
  expect(modelMessageSchema.safeParse(cut).error).toBeUndefined();
});

test.each<[object, Pick<ToolResultPart, 'output' | 'isError'>, object]>([
  [{ type: 'text', value: 'x' }, { output: 'cleared' }, { type: 'text', value: 'cleared' }],
  [{ type: 'json', value: 1 }, { output: 'cleared' }, { type: 'text', value: 'cleared' }],
  [{ type: 'error-json', value: 1 }, { output: 'cleared' }, { type: 'error-text', value: 'cleared' }],
  [
    { type: 'text', value: 'x' },
    { output: 'x', isError: true },
    { type: 'error-text', value: 'x' },
  ],
  [
    { type: 'json', value: 1 },
    { output: { type: 'json', value: 2 }, isError: true },
    { type: 'error-json', value: 2 },
  ],
])('a bare text becomes an output: %j, %j', (output, edit, shorter) => {
  const [call, tool] = modelMessageCodec.toMessages(native(output)) as [Message, Message & { role: 'tool' }];
  const [part] = tool.content;
  expect(outputOf([call, { ...tool, content: [{ ...(part as ToolResultPart), ...edit }] }])).toEqual(shorter);
});

test('the result that core adds for an open call is an error', () => {
  const closing: ToolResultPart = {
    type: 'tool-result',
    toolCallId: 'a',
    toolName: 'read',
    output: '[No result: the call was interrupted]',
    isError: true,
  };
  const [call] = modelMessageCodec.toMessages(native({ type: 'text', value: '' })) as [Message];
  expect(outputOf([call, { role: 'tool', content: [closing] }])).toEqual({
    type: 'error-text',
    value: closing.output,
  });
});
