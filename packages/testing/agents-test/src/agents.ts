import {
  type ModelServer,
  type ModelServerOptions,
  startAnthropicServer,
  startBedrockServer,
  startGeminiServer,
  startOllamaServer,
  startOpenAiServer,
} from '@ctx/testing';
import type { Agent } from './agent.js';
import {
  aiSdkGenerate,
  aiSdkStream,
  anthropicModel,
  bedrockModel,
  openAiChatModel,
  openAiResponsesModel,
  openRouterModel,
} from './ai-sdk.js';
import { anthropic, anthropicStreamed } from './anthropic.js';
import { azure, groq, openRouter } from './compatible.js';
import { google, googleStreamed } from './google.js';
import { langChain } from './langchain.js';
import { mistral } from './mistral.js';
import { ollama, ollamaStreamed } from './ollama.js';
import { openAiChat, openAiChatStreamed } from './openai-chat.js';
import { openAiResponses, openAiResponsesStreamed } from './openai-responses.js';
import { resultOf } from './tools.js';

export interface NamedAgent {
  readonly name: string;
  /** Whose API it speaks. */
  readonly provider: 'openai' | 'anthropic' | 'gemini' | 'ollama' | 'bedrock';
  /** What goes over the wire. */
  readonly api: 'chat' | 'responses' | 'messages' | 'generate' | 'ollama' | 'converse';
  readonly run: Agent;
}

/** Every agent of this package, each with an SDK that people use. */
export const agents: readonly NamedAgent[] = [
  { name: 'openai chat', provider: 'openai', api: 'chat', run: openAiChat },
  { name: 'openai chat, streamed', provider: 'openai', api: 'chat', run: openAiChatStreamed },
  { name: 'openai responses', provider: 'openai', api: 'responses', run: openAiResponses },
  { name: 'openai responses, streamed', provider: 'openai', api: 'responses', run: openAiResponsesStreamed },
  { name: 'anthropic', provider: 'anthropic', api: 'messages', run: anthropic },
  { name: 'anthropic, streamed', provider: 'anthropic', api: 'messages', run: anthropicStreamed },
  { name: 'ollama', provider: 'ollama', api: 'ollama', run: ollama },
  { name: 'ollama, streamed', provider: 'ollama', api: 'ollama', run: ollamaStreamed },
  { name: 'google', provider: 'gemini', api: 'generate', run: google },
  { name: 'google, streamed', provider: 'gemini', api: 'generate', run: googleStreamed },
  { name: 'ai sdk, chat', provider: 'openai', api: 'chat', run: aiSdkGenerate(openAiChatModel) },
  { name: 'ai sdk, chat streamed', provider: 'openai', api: 'chat', run: aiSdkStream(openAiChatModel) },
  {
    name: 'ai sdk, responses',
    provider: 'openai',
    api: 'responses',
    run: aiSdkGenerate(openAiResponsesModel),
  },
  {
    name: 'ai sdk, responses streamed',
    provider: 'openai',
    api: 'responses',
    run: aiSdkStream(openAiResponsesModel),
  },
  { name: 'ai sdk, anthropic', provider: 'anthropic', api: 'messages', run: aiSdkGenerate(anthropicModel) },
  {
    name: 'ai sdk, anthropic streamed',
    provider: 'anthropic',
    api: 'messages',
    run: aiSdkStream(anthropicModel),
  },
  { name: 'ai sdk, bedrock', provider: 'bedrock', api: 'converse', run: aiSdkGenerate(bedrockModel) },
  { name: 'ai sdk, bedrock streamed', provider: 'bedrock', api: 'converse', run: aiSdkStream(bedrockModel) },
  { name: 'ai sdk, openrouter', provider: 'openai', api: 'chat', run: aiSdkGenerate(openRouterModel) },
  { name: 'azure', provider: 'openai', api: 'chat', run: azure },
  { name: 'openrouter', provider: 'openai', api: 'chat', run: openRouter },
  { name: 'groq', provider: 'openai', api: 'chat', run: groq },
  { name: 'mistral', provider: 'openai', api: 'chat', run: mistral },
  { name: 'langchain, chat', provider: 'openai', api: 'chat', run: langChain },
];

/** One agent for each form of requests and answers on the wire: the providers' own SDKs. What only passes on bytes needs no other. */
export const wireForms: readonly NamedAgent[] = agents.filter(({ name }) =>
  /^(openai|anthropic|google)/.test(name),
);

const starts = {
  openai: startOpenAiServer,
  anthropic: startAnthropicServer,
  gemini: startGeminiServer,
  ollama: startOllamaServer,
  bedrock: startBedrockServer,
};

/** Starts the server that an agent talks to. It refuses what the agent's tools have not returned, where that would fit. */
export function startServerFor(
  { provider }: Pick<NamedAgent, 'provider'>,
  given: ModelServerOptions = {},
): Promise<ModelServer> {
  const options = { resultOf, ...given };
  return starts[provider](options);
}
