import { GoogleGenAI } from '@google/genai-3';
import { type NamedAgent, named } from '../agents.js';
import { googleOf } from '../google.js';
import {
  aiSdkGenerate,
  aiSdkStream,
  anthropicModel,
  openAiChatModel,
  openAiResponsesModel,
} from './ai-sdk.js';
import { openAiChat, openAiResponses } from './openai.js';
import { agentsSdkAgent } from './openai-agents.js';

/** Every agent that needs a newer Node. */
export const agents: readonly NamedAgent[] = [
  named('openai 7 chat', 'chat', openAiChat),
  named('openai 7 responses', 'responses', openAiResponses),
  named('openai agents', 'responses', agentsSdkAgent),
  named('google 3', 'generate', googleOf(GoogleGenAI as never)),
  named('ai sdk 7, chat', 'chat', aiSdkGenerate(openAiChatModel)),
  named('ai sdk 7, chat streamed', 'chat', aiSdkStream(openAiChatModel)),
  named('ai sdk 7, responses', 'responses', aiSdkGenerate(openAiResponsesModel)),
  named('ai sdk 7, responses streamed', 'responses', aiSdkStream(openAiResponsesModel)),
  named('ai sdk 7, anthropic', 'messages', aiSdkGenerate(anthropicModel)),
  named('ai sdk 7, anthropic streamed', 'messages', aiSdkStream(anthropicModel)),
];
