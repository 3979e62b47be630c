import { contextMiddleware } from '@ctx/langchain';
import { wrapLanguageModel } from 'ai';
import { type NamedAgent, named } from './agents.js';
import {
  aiSdkGenerate,
  aiSdkStream,
  anthropicModel,
  openAiChatModel,
  openAiResponsesModel,
  wrapped,
} from './ai-sdk.js';
import * as aiSdk7 from './ai-sdk-7.js';
import type { ModelOf } from './ai-sdk-agents.js';
import { bedrock, bedrockStreamed } from './bedrock.js';
import { langChainAgent } from './langchain.js';
import { setUpOptions } from './set-ups.js';

/** An agent with the adapter that its framework has of its own. */
export interface AdaptedAgent extends NamedAgent {
  readonly adapter: string;
}

const quiet = { ...setUpOptions, onWarning: () => {} };

/** As the AI SDK asks Responses by default: its items are stored, and sent back as references. */
const stored: ModelOf = (options) =>
  wrapLanguageModel({
    model: wrapped(openAiResponsesModel, quiet)(options) as Parameters<typeof wrapLanguageModel>[0]['model'],
    middleware: {
      specificationVersion: 'v3',
      transformParams: async ({ params }) => ({ ...params, providerOptions: {} }),
    },
  });

const withMiddleware = [
  named('ai sdk, chat', 'chat', aiSdkGenerate(wrapped(openAiChatModel, quiet))),
  named('ai sdk, responses streamed', 'responses', aiSdkStream(wrapped(openAiResponsesModel, quiet))),
  named('ai sdk, responses stored', 'responses', aiSdkGenerate(stored)),
  named('ai sdk, anthropic streamed', 'messages', aiSdkStream(wrapped(anthropicModel, quiet))),
  named('ai sdk 7, chat streamed', 'chat', aiSdk7.aiSdkStream(aiSdk7.wrapped(aiSdk7.openAiChatModel, quiet))),
  named(
    'ai sdk 7, responses streamed',
    'responses',
    aiSdk7.aiSdkStream(aiSdk7.wrapped(aiSdk7.openAiResponsesModel, quiet)),
  ),
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
