import { contextMiddleware } from '@ctx/langchain';
import { wrapLanguageModel } from 'ai';
import { type NamedAgent, named } from './agents.js';
import { aiSdk6, aiSdk7 } from './ai-sdk.js';
import type { ModelOf } from './ai-sdk-agents.js';
import { bedrock, bedrockStreamed } from './bedrock.js';
import { langChainAgent } from './langchain.js';
import { setUpOptions } from './set-ups.js';

/** An agent with the adapter that its framework has of its own. */
export interface AdaptedAgent extends NamedAgent {
  readonly adapter: string;
}

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

/** Agents that need no `fetch` of ctx. */
export const adaptedAgents: readonly AdaptedAgent[] = [
  ...withMiddleware.map((agent) => ({ ...agent, adapter: 'contextMiddleware' })),
  ...withPlugin.map((agent) => ({ ...agent, adapter: 'contextBedrock' })),
];
