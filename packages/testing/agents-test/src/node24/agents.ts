import type { NamedAgent } from '../agents.js';
import {
  aiSdkGenerate,
  aiSdkStream,
  anthropicModel,
  openAiChatModel,
  openAiResponsesModel,
} from './ai-sdk.js';
import { google } from './google.js';
import { openAiChat, openAiResponses } from './openai.js';
import { agentsSdkDefault } from './openai-agents.js';

/** Every agent of this package. */
export const agents: readonly NamedAgent[] = [
  { name: 'openai 7 chat', provider: 'openai', api: 'chat', run: openAiChat },
  { name: 'openai 7 responses', provider: 'openai', api: 'responses', run: openAiResponses },
  { name: 'openai agents', provider: 'openai', api: 'responses', run: agentsSdkDefault },
  { name: 'google 3', provider: 'gemini', api: 'generate', run: google },
  { name: 'ai sdk 7, chat', provider: 'openai', api: 'chat', run: aiSdkGenerate(openAiChatModel) },
  { name: 'ai sdk 7, chat streamed', provider: 'openai', api: 'chat', run: aiSdkStream(openAiChatModel) },
  {
    name: 'ai sdk 7, responses',
    provider: 'openai',
    api: 'responses',
    run: aiSdkGenerate(openAiResponsesModel),
  },
  {
    name: 'ai sdk 7, responses streamed',
    provider: 'openai',
    api: 'responses',
    run: aiSdkStream(openAiResponsesModel),
  },
  { name: 'ai sdk 7, anthropic', provider: 'anthropic', api: 'messages', run: aiSdkGenerate(anthropicModel) },
  {
    name: 'ai sdk 7, anthropic streamed',
    provider: 'anthropic',
    api: 'messages',
    run: aiSdkStream(anthropicModel),
  },
];
