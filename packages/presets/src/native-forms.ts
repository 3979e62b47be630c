import type { registerNativeForm } from '@ctx/core';

type NativeForm = Parameters<typeof registerNativeForm>[1];
type Fields = Parameters<NativeForm['is']>[0];

const has = (message: Fields, ...keys: string[]) =>
  keys.some((key) => message[key] !== undefined && message[key] !== null);
/** True if a part of these is of one of the types, which are separated by spaces. */
const holds = (parts: unknown, types: string) =>
  Array.isArray(parts) &&
  parts.some((part: Fields | undefined) => types.split(' ').includes(String(part?.type)));
const form = (name: string, codec: string, from: string, is: NativeForm['is']): NativeForm => ({
  name,
  is,
  remedy: `Use ${codec}.toMessages of @ctx/codec-${from} for a whole history.`,
});

/** The forms of the providers and frameworks that ctx has a codec for. */
export const nativeForms: readonly NativeForm[] = [
  form(
    'LangChain',
    'langchainCodec',
    'langchain',
    (message) => typeof message._getType === 'function' || has(message, 'lc_namespace', 'lc_kwargs'),
  ),
  form(
    'OpenAI’s Responses API',
    'responsesCodec',
    'openai',
    (message) =>
      (typeof message.type === 'string' && !has(message, 'role')) ||
      holds(message.content, 'input_text output_text input_image input_file'),
  ),
  form(
    'OpenAI’s Chat Completions API',
    'openaiCodec',
    'openai',
    (message) =>
      has(message, 'tool_calls', 'tool_call_id', 'function_call') ||
      ['developer', 'function'].includes(String(message.role)) ||
      holds(message.content, 'image_url input_audio refusal'),
  ),
  form('Anthropic’s Messages API', 'anthropicCodec', 'anthropic', ({ content }) =>
    holds(content, 'tool_use tool_result thinking redacted_thinking document server_tool_use'),
  ),
  {
    name: 'the AI SDK’s user interface',
    is: ({ parts }) =>
      Array.isArray(parts) && parts.some((part: Fields | undefined) => has(part ?? {}, 'type')),
    remedy: 'Use convertToModelMessages of ai, then modelMessageCodec.toMessages of @ctx/codec-ai-sdk.',
  },
  form('Gemini’s API', 'googleCodec', 'google', ({ parts }) => Array.isArray(parts)),
];
