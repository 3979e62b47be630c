import {
  type ModelServer,
  type ModelServerOptions,
  startAnthropicServer,
  startBedrockServer,
  startGeminiServer,
  startOllamaServer,
  startOpenAiServer,
} from '@ctx/servers';
import { GoogleGenAI } from '@google/genai-3';
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
import * as aiSdk7 from './ai-sdk-7.js';
import { anthropic, anthropicStreamed } from './anthropic.js';
import { azure, groq, openRouter } from './compatible.js';
import { google, googleOf, googleStreamed } from './google.js';
import { langChain } from './langchain.js';
import { mistral } from './mistral.js';
import { ollama, ollamaStreamed } from './ollama.js';
import * as openAi7 from './openai-7.js';
import { agentsSdkAgent } from './openai-agents.js';
import { openAiChat, openAiChatStreamed } from './openai-chat.js';
import { openAiResponses, openAiResponsesStreamed } from './openai-responses.js';
import { resultOf } from './tools.js';

/** The server of each API, by what goes over the wire. */
const servers = {
  chat: startOpenAiServer,
  responses: startOpenAiServer,
  messages: startAnthropicServer,
  generate: startGeminiServer,
  ollama: startOllamaServer,
  converse: startBedrockServer,
};

export interface NamedAgent {
  readonly name: string;
  /** What goes over the wire. */
  readonly api: keyof typeof servers;
  readonly run: Agent;
}

export const named = (name: string, api: NamedAgent['api'], run: Agent): NamedAgent => ({ name, api, run });

/** Agents with SDKs that people use. */
export const agents: readonly NamedAgent[] = [
  named('openai chat', 'chat', openAiChat),
  named('openai chat, streamed', 'chat', openAiChatStreamed),
  named('openai responses', 'responses', openAiResponses),
  named('openai responses, streamed', 'responses', openAiResponsesStreamed),
  named('anthropic', 'messages', anthropic),
  named('anthropic, streamed', 'messages', anthropicStreamed),
  named('ollama', 'ollama', ollama),
  named('ollama, streamed', 'ollama', ollamaStreamed),
  named('google', 'generate', google),
  named('google, streamed', 'generate', googleStreamed),
  named('ai sdk, chat', 'chat', aiSdkGenerate(openAiChatModel)),
  named('ai sdk, chat streamed', 'chat', aiSdkStream(openAiChatModel)),
  named('ai sdk, responses', 'responses', aiSdkGenerate(openAiResponsesModel)),
  named('ai sdk, responses streamed', 'responses', aiSdkStream(openAiResponsesModel)),
  named('ai sdk, anthropic', 'messages', aiSdkGenerate(anthropicModel)),
  named('ai sdk, anthropic streamed', 'messages', aiSdkStream(anthropicModel)),
  named('ai sdk, bedrock', 'converse', aiSdkGenerate(bedrockModel)),
  named('ai sdk, bedrock streamed', 'converse', aiSdkStream(bedrockModel)),
  named('ai sdk, openrouter', 'chat', aiSdkGenerate(openRouterModel)),
  named('azure', 'chat', azure),
  named('openrouter', 'chat', openRouter),
  named('groq', 'chat', groq),
  named('mistral', 'chat', mistral),
  named('langchain, chat', 'chat', langChain),
];

/** Agents with the newest SDKs, which say that they need Node 22. What they send is as it was before. */
export const newerAgents: readonly NamedAgent[] = [
  named('openai 7 chat', 'chat', openAi7.openAiChat),
  named('openai 7 responses', 'responses', openAi7.openAiResponses),
  named('openai agents', 'responses', agentsSdkAgent),
  named('google 3', 'generate', googleOf(GoogleGenAI as never)),
  named('ai sdk 7, chat', 'chat', aiSdk7.aiSdkGenerate(aiSdk7.openAiChatModel)),
  named('ai sdk 7, chat streamed', 'chat', aiSdk7.aiSdkStream(aiSdk7.openAiChatModel)),
  named('ai sdk 7, responses', 'responses', aiSdk7.aiSdkGenerate(aiSdk7.openAiResponsesModel)),
  named('ai sdk 7, responses streamed', 'responses', aiSdk7.aiSdkStream(aiSdk7.openAiResponsesModel)),
  named('ai sdk 7, anthropic', 'messages', aiSdk7.aiSdkGenerate(aiSdk7.anthropicModel)),
  named('ai sdk 7, anthropic streamed', 'messages', aiSdk7.aiSdkStream(aiSdk7.anthropicModel)),
];

/** One agent for each form of requests and answers on the wire: the providers' own SDKs. What only passes on bytes needs no other. */
export const wireForms: readonly NamedAgent[] = agents.filter(({ name }) =>
  /^(openai|anthropic|google)/.test(name),
);

/** Starts the server that an agent talks to. It refuses what the agent's tools have not returned, where that would fit. */
export function startServerFor(
  { api }: Pick<NamedAgent, 'api'>,
  given: ModelServerOptions = {},
): Promise<ModelServer> {
  return servers[api]({ resultOf, ...given });
}
