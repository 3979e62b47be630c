import { modelMessageCodec, promptCodec } from '@ctx/codec-ai-sdk';
import { anthropicCodec, converseCodec } from '@ctx/codec-anthropic';
import { googleCodec } from '@ctx/codec-google';
import { langchainCodec } from '@ctx/codec-langchain';
import { ollamaCodec, openaiCodec, responsesCodec } from '@ctx/codec-openai';
import type { Codec, Message } from '@ctx/core';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';

/** A conversation of the AI SDK in which every text is this one. */
const ofSdk = (text: string, isPrompt: boolean) => {
  const said = [{ type: 'text', text }];
  const file = { type: 'file', data: text, mediaType: text, filename: text };
  const call = { type: 'tool-call', toolCallId: text, toolName: text, input: { path: text } };
  const output = { type: 'text', value: text };
  return [
    { role: 'user', content: [...said, file, { ...file, mediaType: 'image/png' }] },
    { role: 'assistant', content: isPrompt ? [call] : [...said, { ...file, data: `data:${text}` }, call] },
    { role: 'tool', content: [{ ...call, type: 'tool-result', output }] },
  ];
};

/** Contents of Google's API in which every text is this one. */
export const contents = (text: string) => [
  {
    role: 'user',
    parts: [{ text }, { inlineData: { mimeType: text, data: text } }, { fileData: { fileUri: text } }],
  },
  { role: 'model', parts: [{ text, thought: true }, { functionCall: { name: text, args: { path: text } } }] },
  { role: 'user', parts: [{ functionResponse: { name: text, response: { output: text } } }] },
];

/** Messages of Chat Completions in which every text is this one. */
export const chat = (text: string) => [
  { role: 'user' as const, content: text },
  {
    role: 'assistant' as const,
    content: text,
    tool_calls: [{ id: text, type: 'function' as const, function: { name: text, arguments: text } }],
  },
];

const chatResult = (text: string) => ({ role: 'tool', tool_call_id: text, content: text });

/** Items of the Responses API in which every text is this one. */
export const items = (text: string) => [
  {
    role: 'user',
    content: [
      { type: 'input_text', text },
      { type: 'input_image', image_url: text },
    ],
  },
  { type: 'reasoning', id: text, summary: [{ type: 'summary_text', text }], encrypted_content: text },
  { type: 'function_call', call_id: text, name: text, arguments: text },
  { type: 'function_call_output', call_id: text, output: text },
  { type: text },
];

/** Every codec, with a conversation in its form in which every text is this one. */
const codecs: readonly (readonly [name: string, codec: unknown, native: (text: string) => unknown])[] = [
  ['codec-ai-sdk modelMessageCodec', modelMessageCodec, (text) => ofSdk(text, false)],
  ['codec-ai-sdk promptCodec', promptCodec, (text) => ofSdk(text, true)],
  [
    'codec-anthropic anthropicCodec',
    anthropicCodec,
    (text) => ({
      system: text,
      messages: [
        { role: 'user', content: text },
        { role: 'assistant', content: [{ type: 'tool_use', id: text, name: text, input: { path: text } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: text, content: text }] },
      ],
    }),
  ],
  [
    'codec-anthropic converseCodec',
    converseCodec,
    (text) => ({
      system: [{ text }],
      messages: [
        { role: 'user', content: [{ text }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: text, name: text, input: { path: text } } }] },
        {
          role: 'user',
          content: [{ toolResult: { toolUseId: text, content: [{ text }, { json: { text } }] } }],
        },
      ],
    }),
  ],
  ['codec-google googleCodec', googleCodec, (text) => ({ contents: contents(text) })],
  [
    'codec-langchain langchainCodec',
    langchainCodec,
    (text) => [
      new HumanMessage({ content: [{ type: 'image', url: text }] }),
      new AIMessage({
        content: text,
        additional_kwargs: { function_call: { name: text, arguments: text } },
      }),
      new ToolMessage({ content: text, tool_call_id: text }),
    ],
  ],
  [
    'codec-openai ollamaCodec',
    ollamaCodec,
    (text) => [
      { role: 'user', content: text, images: [text] },
      { role: 'assistant', tool_calls: [{ function: { name: text, arguments: { path: text } } }] },
      { role: 'tool', tool_name: text, content: text },
    ],
  ],
  ['codec-openai openaiCodec', openaiCodec, (text) => [...chat(text), chatResult(text)]],
  ['codec-openai responsesCodec', responsesCodec, items],
];

/** What the codecs do with a text. */
export function codecFunctions(
  calling: (text: string) => Message[],
): Record<string, (text: string) => unknown> {
  const withFile = (text: string): Message[] => [
    { role: 'user', content: [{ type: 'file', data: `data:${text}`, mediaType: text }] },
    { role: 'user', content: [{ type: 'image', image: text }] },
    ...calling(text),
  ];
  return Object.fromEntries(
    codecs.flatMap(([name, any, native]) => {
      const codec = any as Codec<unknown>;
      const functions: [string, (text: string) => unknown][] = [
        ['toMessages', (text) => codec.toMessages(native(text))],
        ['fromMessages', (text) => codec.fromMessages(withFile(text))],
        ['losses', (text) => codec.losses(withFile(text))],
        ['validate', (text) => codec.validate(native(text))],
      ];
      return functions.map(([what, run]) => [`${name}.${what}`, run] as const);
    }),
  );
}
