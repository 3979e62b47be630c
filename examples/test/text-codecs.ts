import { modelMessageCodec, promptCodec } from '@ctx/codec-ai-sdk';
import { anthropicCodec, converseCodec } from '@ctx/codec-anthropic';
import { googleCodec } from '@ctx/codec-google';
import { langchainCodec } from '@ctx/codec-langchain';
import { ollamaCodec, openaiCodec, responsesCodec } from '@ctx/codec-openai';
import type { Codec, Message } from '@ctx/core';

const codecs = {
  'codec-ai-sdk modelMessageCodec': modelMessageCodec,
  'codec-ai-sdk promptCodec': promptCodec,
  'codec-anthropic anthropicCodec': anthropicCodec,
  'codec-anthropic converseCodec': converseCodec,
  'codec-google googleCodec': googleCodec,
  'codec-langchain langchainCodec': langchainCodec,
  'codec-openai ollamaCodec': ollamaCodec,
  'codec-openai openaiCodec': openaiCodec,
  'codec-openai responsesCodec': responsesCodec,
};

/** What the codecs do with a text. */
export function codecFunctions(
  calling: (text: string) => Message[],
): Record<string, (text: string) => unknown> {
  const withFiles = (text: string): Message[] => [
    { role: 'system', content: text },
    { role: 'user', content: [{ type: 'file', data: `data:${text}`, mediaType: text, filename: text }] },
    { role: 'user', content: [{ type: 'file', data: text, mediaType: 'image/png' }] },
    { role: 'user', content: [{ type: 'image', image: text }] },
    ...calling(text),
  ];
  return Object.fromEntries(
    Object.entries(codecs).flatMap(([name, any]) => {
      const codec = any as Codec<unknown>;
      const native = (text: string) => codec.fromMessages(withFiles(text));
      // A copy, which is of no message that is known.
      const copied = (text: string) =>
        name.includes('langchain') ? native(text) : structuredClone(native(text));
      const functions: [string, (text: string) => unknown][] = [
        ['toMessages', (text) => codec.toMessages(copied(text))],
        ['fromMessages', native],
        ['losses', (text) => codec.losses(withFiles(text))],
        ['validate', (text) => codec.validate(copied(text))],
      ];
      return functions.map(([what, run]) => [`${name}.${what}`, run] as const);
    }),
  );
}
