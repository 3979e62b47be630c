import { anthropicCodec } from '@ctx/codec-anthropic';
import { langchainCodec } from '@ctx/codec-langchain';
import { openaiCodec } from '@ctx/codec-openai';
import type { Codec, Message } from '@ctx/core';
import { lossProblems } from '@ctx/testing';
import type { BaseMessage } from '@langchain/core/messages';
import fc from 'fast-check';
import { anyLangChain } from './any-conversation.js';

const others: Record<string, Codec<never>> = {
  openai: openaiCodec as unknown as Codec<never>,
  anthropic: anthropicCodec as unknown as Codec<never>,
};

test.each(Object.keys(others))('all that is lost on the way through %s is named', (name) => {
  const through = others[name] as Codec<never>;
  fc.assert(
    fc.property(anyLangChain, (conversation) => {
      expect(lossProblems(langchainCodec, conversation as unknown as BaseMessage[], through)).toEqual([]);
    }),
  );
});

test('what LangChain has no form for', () => {
  const messages: Message[] = [
    { role: 'system', content: [{ type: 'opaque', value: 1 }] },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: '', encrypted: 'c2VjcmV0' },
        { type: 'reasoning', text: 'hm', encrypted: 'c2VjcmV0' },
      ],
    },
    {
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
              { type: 'file', data: 'JVBERi0=', mediaType: 'application/pdf', filename: 'a.pdf' },
              { type: 'opaque', value: 1 },
            ],
          },
        },
      ],
    },
  ];
  expect(langchainCodec.losses(messages)).toEqual([
    { index: 0, place: 'content[0]', what: 'opaque' },
    { index: 1, place: 'content[0]', what: 'reasoning' },
    { index: 1, place: 'content[1].encrypted', what: 'encrypted' },
    { index: 2, place: 'content[0].output.value[1]', what: 'opaque' },
  ]);
});
