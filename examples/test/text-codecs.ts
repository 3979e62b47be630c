import { modelMessageCodec, promptCodec } from '@ctx/codec-ai-sdk';
import { langchainCodec } from '@ctx/codec-langchain';
import type { Codec, Message } from '@ctx/core';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';

/** A conversation of the AI SDK in which every text is this one. */
function native(text: string, isPrompt: boolean) {
  const said = [{ type: 'text' as const, text }];
  const file = { type: 'file' as const, data: text, mediaType: text, filename: text };
  const call = { type: 'tool-call' as const, toolCallId: text, toolName: text, input: { path: text } };
  const output = { type: 'text' as const, value: text };
  return [
    { role: 'user' as const, content: [...said, file, { ...file, mediaType: 'image/png' }] },
    {
      role: 'assistant' as const,
      content: isPrompt ? [call] : [...said, { ...file, data: `data:${text}` }, call],
    },
    { role: 'tool' as const, content: [{ ...call, type: 'tool-result' as const, output }] },
  ];
}

/** What the codecs of frameworks do with a text. */
export function codecFunctions(
  calling: (text: string) => Message[],
): Record<string, (text: string) => unknown> {
  const withFile = (text: string): Message[] => [
    { role: 'user', content: [{ type: 'file', data: `data:${text}`, mediaType: text }] },
    { role: 'user', content: [{ type: 'image', image: text }] },
    ...calling(text),
  ];
  const both = (name: string, codec: Codec<never>) => ({
    [`${name}.fromMessages`]: (text: string) => codec.fromMessages(withFile(text)),
    [`${name}.losses`]: (text: string) => codec.losses(withFile(text)),
  });
  return {
    ...both('codec-ai-sdk modelMessageCodec', modelMessageCodec as Codec<never>),
    ...both('codec-ai-sdk promptCodec', promptCodec as Codec<never>),
    ...both('codec-langchain langchainCodec', langchainCodec as unknown as Codec<never>),
    'codec-ai-sdk modelMessageCodec.toMessages': (text) => modelMessageCodec.toMessages(native(text, false)),
    'codec-ai-sdk promptCodec.toMessages': (text) => promptCodec.toMessages(native(text, true)),
    'codec-langchain langchainCodec.toMessages': (text) =>
      langchainCodec.toMessages([
        new HumanMessage({ content: [{ type: 'image', url: text }] }),
        new AIMessage({
          content: text,
          additional_kwargs: { function_call: { name: text, arguments: text } },
        }),
        new ToolMessage({ content: text, tool_call_id: text }),
      ]),
  };
}
