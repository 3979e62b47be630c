import type { registerNativeForm } from '@ctx/core';

type NativeForm = Parameters<typeof registerNativeForm>[1];

type Fields = Parameters<NativeForm['is']>[0];

const has = (message: Fields, ...keys: string[]) =>
  keys.some((key) => message[key] !== undefined && message[key] !== null);
const isRole = (message: Fields, ...roles: string[]) => roles.includes(String(message.role));
/** True if a part of the content is of one of these types. */
const holds = ({ content }: Fields, ...types: string[]) =>
  Array.isArray(content) && content.some((part: Fields | undefined) => types.includes(String(part?.type)));
const decode = (codec: string, from: string) => `Use ${codec}.toMessages of ${from} for a whole history.`;

/** The forms of the providers and frameworks that ctx has a codec for. */
export const nativeForms: readonly NativeForm[] = [
  {
    name: 'LangChain',
    is: (message) => typeof message._getType === 'function' || has(message, 'lc_namespace', 'lc_kwargs'),
    remedy: decode('langchainCodec', '@ctx/codec-langchain'),
  },
  {
    name: 'OpenAI’s Responses API',
    is: (message) =>
      (typeof message.type === 'string' && !has(message, 'role')) ||
      holds(message, 'input_text', 'output_text', 'input_image', 'input_file'),
    remedy: decode('responsesCodec', '@ctx/codec-openai'),
  },
  {
    name: 'OpenAI’s Chat Completions API',
    is: (message) =>
      has(message, 'tool_calls', 'tool_call_id', 'function_call') ||
      isRole(message, 'developer', 'function') ||
      holds(message, 'image_url', 'input_audio', 'refusal'),
    remedy: decode('openaiCodec', '@ctx/codec-openai'),
  },
  {
    name: 'Anthropic’s Messages API',
    is: (message) =>
      holds(
        message,
        'tool_use',
        'tool_result',
        'thinking',
        'redacted_thinking',
        'document',
        'server_tool_use',
      ),
    remedy: decode('anthropicCodec', '@ctx/codec-anthropic'),
  },
  {
    name: 'the AI SDK’s user interface',
    is: (message) =>
      Array.isArray(message.parts) &&
      message.parts.some((part: Fields | undefined) => has(part ?? {}, 'type')),
    remedy: 'Use convertToModelMessages of ai, then modelMessageCodec.toMessages of @ctx/codec-ai-sdk.',
  },
  {
    name: 'Gemini’s API',
    is: (message) => Array.isArray(message.parts),
    remedy: decode('googleCodec', '@ctx/codec-google'),
  },
];
