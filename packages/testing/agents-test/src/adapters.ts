import { contextMiddleware } from '@ctx/ai-sdk';
import { contextMiddleware as langChainMiddleware } from '@ctx/langchain';
import { wrapLanguageModel } from 'ai';
import type { NamedAgent } from './agents.js';
import {
  aiSdkGenerate,
  aiSdkStream,
  anthropicModel,
  type ModelOf,
  openAiChatModel,
  openAiResponsesModel,
} from './ai-sdk.js';
import { bedrock, bedrockStreamed } from './bedrock.js';
import { langChainAgent } from './langchain.js';
import { setUpOptions } from './set-ups.js';

/** An agent with the adapter that its framework has of its own. */
export interface AdaptedAgent extends NamedAgent {
  readonly adapter: string;
}

type Wrappable = Parameters<typeof wrapLanguageModel>[0]['model'];

const wrapped =
  (modelOf: ModelOf): ModelOf =>
  (options) =>
    wrapLanguageModel({
      model: modelOf(options) as Wrappable,
      middleware: contextMiddleware({ ...setUpOptions, onWarning: () => {} }),
    });

/** As the AI SDK asks Responses by default: its items are stored, and sent back as references. */
const stored: ModelOf = (options) =>
  wrapLanguageModel({
    model: wrapped(openAiResponsesModel)(options) as Wrappable,
    middleware: {
      specificationVersion: 'v3',
      transformParams: async ({ params }) => ({ ...params, providerOptions: {} }),
    },
  });

const quiet = { ...setUpOptions, onWarning: () => {} };

/** Agents that need no `fetch` of ctx. */
export const adaptedAgents: readonly AdaptedAgent[] = [
  {
    name: 'ai sdk, chat',
    adapter: 'contextMiddleware',
    provider: 'openai',
    api: 'chat',
    run: aiSdkGenerate(wrapped(openAiChatModel)),
  },
  {
    name: 'ai sdk, responses streamed',
    adapter: 'contextMiddleware',
    provider: 'openai',
    api: 'responses',
    run: aiSdkStream(wrapped(openAiResponsesModel)),
  },
  {
    name: 'ai sdk, responses stored',
    adapter: 'contextMiddleware',
    provider: 'openai',
    api: 'responses',
    run: aiSdkGenerate(stored),
  },
  {
    name: 'ai sdk, anthropic streamed',
    adapter: 'contextMiddleware',
    provider: 'anthropic',
    api: 'messages',
    run: aiSdkStream(wrapped(anthropicModel)),
  },
  {
    name: 'langchain, chat',
    adapter: 'contextMiddleware',
    provider: 'openai',
    api: 'chat',
    run: (options) => langChainAgent(options, [langChainMiddleware(quiet)]),
  },
  { name: 'bedrock', adapter: 'contextBedrock', provider: 'bedrock', api: 'converse', run: bedrock(quiet) },
  {
    name: 'bedrock, streamed',
    adapter: 'contextBedrock',
    provider: 'bedrock',
    api: 'converse',
    run: bedrockStreamed(quiet),
  },
];
