import OpenAI from 'openai-7';
import type { ResponseCreateParamsNonStreaming } from 'openai-7/resources/responses/responses';
import type { Agent, AgentOptions } from './agent.js';
import { chatOf } from './openai-chat.js';
import { openAiResponsesLoop } from './openai-responses.js';

const clientFor = ({ baseURL, fetch }: AgentOptions) =>
  new OpenAI({ apiKey: 'sk-test', baseURL: `${baseURL}/v1`, ...(fetch && { fetch }) });

/** OpenAI SDK 7 with chat completions. The versions differ only in what these agents do not use. */
export const openAiChat = chatOf(clientFor as never);

/** OpenAI SDK 7 with Responses: nothing stored, encrypted reasoning sent back. */
export const openAiResponses: Agent = (options) => {
  const client = clientFor(options);
  return openAiResponsesLoop(
    options,
    (request) => client.responses.create(request as ResponseCreateParamsNonStreaming) as never,
  );
};
