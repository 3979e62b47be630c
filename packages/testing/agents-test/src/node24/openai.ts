import OpenAI from 'openai-7';
import type { ResponseCreateParamsNonStreaming } from 'openai-7/resources/responses/responses';
import type { Agent, AgentOptions } from '../agent.js';
import { chatTools, openAiChatLoop } from '../openai-chat.js';
import { openAiResponsesLoop } from '../openai-responses.js';

const clientFor = ({ baseURL, fetch }: AgentOptions) =>
  new OpenAI({ apiKey: 'sk-test', baseURL: `${baseURL}/v1`, ...(fetch && { fetch }) });

/** OpenAI SDK 7 with chat completions. */
export const openAiChat: Agent = (options) => {
  const client = clientFor(options);
  return openAiChatLoop(options, (messages) =>
    client.chat.completions.create({ model: 'gpt-5', messages, tools: chatTools }),
  );
};

/** OpenAI SDK 7 with Responses: nothing stored, encrypted reasoning sent back. */
export const openAiResponses: Agent = (options) => {
  const client = clientFor(options);
  // The loop has the types of version 6; the versions differ only in items that this agent does not use.
  return openAiResponsesLoop(
    options,
    (request) => client.responses.create(request as ResponseCreateParamsNonStreaming) as never,
  );
};
