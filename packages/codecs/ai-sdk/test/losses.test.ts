import { type AnyModelMessage, modelMessageCodec, promptCodecFor } from '@ctx/codec-ai-sdk';
import { anthropicCodec } from '@ctx/codec-anthropic';
import { openaiCodec } from '@ctx/codec-openai';
import type { Codec, Message } from '@ctx/core';
import { lossProblems } from '@ctx/testing';
import fc from 'fast-check';
import { anyModelMessages } from './any-conversation.js';

const others: Record<string, Codec<never>> = {
  openai: openaiCodec as unknown as Codec<never>,
  anthropic: anthropicCodec as unknown as Codec<never>,
};

test.each(Object.keys(others))('all that is lost on the way through %s is named', (name) => {
  const through = others[name] as Codec<never>;
  fc.assert(
    fc.property(anyModelMessages, (conversation) => {
      const native = conversation as unknown as AnyModelMessage[];
      expect(lossProblems(modelMessageCodec as Codec<AnyModelMessage[]>, native, through)).toEqual([]);
    }),
  );
});

const image: Message = {
  role: 'assistant',
  content: [{ type: 'image', image: 'https://example.org/a.webp', mediaType: 'image/webp' }],
};
const results: Message = {
  role: 'tool',
  content: [
    {
      type: 'tool-result',
      toolCallId: 'a',
      toolName: 'read',
      isError: true,
      output: {
        type: 'content',
        value: [
          { type: 'image', image: 'https://example.org/a.webp', mediaType: 'image/webp' },
          { type: 'file', data: 'JVBERi0=', mediaType: 'application/pdf', filename: 'a.pdf' },
          { type: 'opaque', value: 1 },
        ],
      },
    },
  ],
};
const at = 'content[0].output.value';

test.each<[string, { losses(messages: readonly Message[]): unknown }, string[]]>([
  ['messages', modelMessageCodec, ['content[0].isError', `${at}[0].mediaType`, `${at}[2]`]],
  [
    'prompts of version 2',
    promptCodecFor('v2'),
    ['content[0].isError', `${at}[0]`, `${at}[1].filename`, `${at}[2]`],
  ],
  ['prompts of version 3', promptCodecFor('v3'), ['content[0].isError', `${at}[0].mediaType`, `${at}[2]`]],
  ['prompts of version 4', promptCodecFor('v4'), ['content[0].isError', `${at}[2]`]],
])('what %s have no form for', (_name, codec, places) => {
  expect(codec.losses([image])).toEqual([]);
  expect((codec.losses([results]) as { place: string }[]).map(({ place }) => place)).toEqual(places);
});

test('reasoning that only its provider can read is lost', () => {
  const thought: Message = {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: '', encrypted: 'c2VjcmV0' },
      { type: 'text', text: 'yes' },
    ],
  };
  expect(modelMessageCodec.losses([thought])).toEqual([{ index: 0, place: 'content[0]', what: 'reasoning' }]);
  expect(modelMessageCodec.fromMessages([thought])).toEqual([
    { role: 'assistant', content: [{ type: 'text', text: 'yes' }] },
  ]);
});
