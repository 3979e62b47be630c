import { createAnthropic } from '@ai-sdk/anthropic-4';
import { createOpenAI } from '@ai-sdk/openai-4';
import * as sdk from 'ai-7';
import { systemPrompt } from './agent.js';
import { aiSdkAgents } from './ai-sdk-agents.js';

/** The models and agents of AI SDK 7. */
export const { openAiChatModel, openAiResponsesModel, anthropicModel, wrapped, aiSdkGenerate, aiSdkStream } =
  aiSdkAgents({
    sdk,
    createOpenAI,
    createAnthropic,
    settings: { instructions: systemPrompt, stopWhen: sdk.isStepCount(10) },
    messagesIn: async ({ responseMessages }: Awaited<ReturnType<typeof sdk.generateText>>) =>
      responseMessages,
  } as never);
