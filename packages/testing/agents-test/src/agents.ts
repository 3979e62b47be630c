import { contextMiddleware } from '@ctx/langchain';
import {
  type ModelServer,
  type ModelServerOptions,
  startAnthropicServer,
  startBedrockServer,
  startGeminiServer,
  startOllamaServer,
  startOpenAiServer,
} from '@ctx/servers';
import { GoogleGenAI } from '@google/genai';
import { GoogleGenAI as GoogleGenAI3 } from '@google/genai-3';
import { MemorySession } from '@openai/agents';
import { wrapLanguageModel } from 'ai';
import type { Agent } from './agent.js';
import { aiSdk6, aiSdk7, bedrockModel, type ModelOf, openRouterModel } from './ai-sdk.js';
import { anthropicAgent } from './anthropic.js';
import { bedrock, bedrockStreamed } from './bedrock.js';
import { googleAgent } from './google.js';
import { langChain, langChainAgent } from './langchain.js';
import { mistral } from './mistral.js';
import { ollama, ollamaStreamed } from './ollama.js';
import { agentsSdkAgent } from './openai-agents.js';
import { azure, groq, openAi7Chat, openAiChat, openAiChatStreamed, openRouter } from './openai-chat.js';
import { openAi7Responses, openAiResponses, openAiResponsesStreamed } from './openai-responses.js';
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

const aiSdkAgents = (name: string, sdk: typeof aiSdk6): NamedAgent[] => [
  named(`${name}, chat`, 'chat', sdk.aiSdkGenerate(sdk.openAiChatModel)),
  named(`${name}, chat streamed`, 'chat', sdk.aiSdkStream(sdk.openAiChatModel)),
  named(`${name}, responses`, 'responses', sdk.aiSdkGenerate(sdk.openAiResponsesModel)),
  named(`${name}, responses streamed`, 'responses', sdk.aiSdkStream(sdk.openAiResponsesModel)),
  named(`${name}, anthropic`, 'messages', sdk.aiSdkGenerate(sdk.anthropicModel)),
  named(`${name}, anthropic streamed`, 'messages', sdk.aiSdkStream(sdk.anthropicModel)),
];

/** Agents with SDKs that people use. */
export const agents: readonly NamedAgent[] = [
  named('openai chat', 'chat', openAiChat),
  named('openai chat, streamed', 'chat', openAiChatStreamed),
  named('openai responses', 'responses', openAiResponses),
  named('openai responses, streamed', 'responses', openAiResponsesStreamed),
  named('anthropic', 'messages', anthropicAgent(false)),
  named('anthropic, streamed', 'messages', anthropicAgent(true)),
  named('ollama', 'ollama', ollama),
  named('ollama, streamed', 'ollama', ollamaStreamed),
  named('google', 'generate', googleAgent(GoogleGenAI)),
  named('google, streamed', 'generate', googleAgent(GoogleGenAI, true)),
  ...aiSdkAgents('ai sdk', aiSdk6),
  named('ai sdk, bedrock', 'converse', aiSdk6.aiSdkGenerate(bedrockModel)),
  named('ai sdk, bedrock streamed', 'converse', aiSdk6.aiSdkStream(bedrockModel)),
  named('ai sdk, openrouter', 'chat', aiSdk6.aiSdkGenerate(openRouterModel)),
  named('azure', 'chat', azure),
  named('openrouter', 'chat', openRouter),
  named('groq', 'chat', groq),
  named('mistral', 'chat', mistral),
  named('langchain, chat', 'chat', langChain),
];

/** Agents with the newest SDKs, which say that they need Node 22. What they send is as it was before. */
export const newerAgents: readonly NamedAgent[] = [
  named('openai 7 chat', 'chat', openAi7Chat),
  named('openai 7 responses', 'responses', openAi7Responses),
  named('openai agents', 'responses', agentsSdkAgent()),
  named('openai agents, streamed', 'responses', agentsSdkAgent(true)),
  named(
    'openai agents, session',
    'responses',
    agentsSdkAgent(false, () => new MemorySession()),
  ),
  named('google 3', 'generate', googleAgent(GoogleGenAI3 as never)),
  ...aiSdkAgents('ai sdk 7', aiSdk7),
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

/** The server of every row: a window in which the work of all tasks does not fit, and three requests that are refused although they fit. */
export const setUpServer = { window: 12_000, overflowAt: [5, 22, 41], overflowBy: 'stream' } as const;
/** What ctx is told there. */
export const setUpOptions = { config: { contextWindow: setUpServer.window } };

const quiet = { ...setUpOptions, onWarning: () => {} };

const { openAiChatModel, openAiResponsesModel, anthropicModel, aiSdkGenerate, aiSdkStream } = aiSdk6;
const wrapped = (modelOf: ModelOf) => aiSdk6.wrapped(modelOf, quiet);
const wrapped7 = (modelOf: ModelOf) => aiSdk7.aiSdkStream(aiSdk7.wrapped(modelOf, quiet));

/** As the AI SDK asks Responses by default: its items are stored, and sent back as references. */
const stored: ModelOf = (options) =>
  wrapLanguageModel({
    model: wrapped(openAiResponsesModel)(options) as Parameters<typeof wrapLanguageModel>[0]['model'],
    middleware: {
      specificationVersion: 'v3',
      transformParams: async ({ params }) => ({ ...params, providerOptions: {} }),
    },
  });

const withMiddleware = [
  named('ai sdk, chat', 'chat', aiSdkGenerate(wrapped(openAiChatModel))),
  named('ai sdk, responses streamed', 'responses', aiSdkStream(wrapped(openAiResponsesModel))),
  named('ai sdk, responses stored', 'responses', aiSdkGenerate(stored)),
  named('ai sdk, anthropic streamed', 'messages', aiSdkStream(wrapped(anthropicModel))),
  named('ai sdk 7, chat streamed', 'chat', wrapped7(aiSdk7.openAiChatModel)),
  named('ai sdk 7, responses streamed', 'responses', wrapped7(aiSdk7.openAiResponsesModel)),
  named('langchain, chat', 'chat', (options) => langChainAgent(options, [contextMiddleware(quiet)])),
];
const withPlugin = [
  named('bedrock', 'converse', bedrock(quiet)),
  named('bedrock, streamed', 'converse', bedrockStreamed(quiet)),
];

/** Agents that need no `fetch` of ctx: their frameworks have an adapter of their own. */
export const adaptedAgents = [
  ...withMiddleware.map((agent) => ({ ...agent, adapter: 'contextMiddleware' })),
  ...withPlugin.map((agent) => ({ ...agent, adapter: 'contextBedrock' })),
];
