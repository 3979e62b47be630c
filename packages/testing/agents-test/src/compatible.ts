import { Groq } from 'groq-sdk';
import type { ChatCompletionCreateParamsNonStreaming } from 'groq-sdk/resources/chat/completions';
import OpenAI, { AzureOpenAI } from 'openai';
import type { Agent, AgentOptions } from './agent.js';
import { chatOf, openAiChatLoop } from './openai-chat.js';

type Ask = Parameters<typeof openAiChatLoop>[1];

/** What the clients have in common with OpenAI's. */
const given = ({ fetch }: AgentOptions) => ({ apiKey: 'sk-test', maxRetries: 0, ...(fetch && { fetch }) });

/** OpenAI's SDK at Azure. */
export const azure = chatOf(
  (options) =>
    new AzureOpenAI({
      ...given(options),
      endpoint: options.baseURL,
      apiVersion: '2025-04-01-preview',
      deployment: 'gpt-5',
    }),
);

/** OpenAI's SDK at OpenRouter. */
export const openRouter = chatOf(
  (options) => new OpenAI({ ...given(options), baseURL: `${options.baseURL}/api/v1` }),
  'openai/gpt-5',
);

/** Groq's SDK. */
export const groq: Agent = (options) => {
  const client = new Groq({ ...given(options), baseURL: options.baseURL });
  const model = 'openai/gpt-oss-120b';
  const ask = (messages: unknown, tools: unknown) =>
    client.chat.completions.create({ model, messages, tools } as ChatCompletionCreateParamsNonStreaming);
  return openAiChatLoop(options, ask as unknown as Ask);
};
