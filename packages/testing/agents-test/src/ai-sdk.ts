import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createAnthropic as createAnthropic4 } from '@ai-sdk/anthropic-4';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAI as createOpenAI4 } from '@ai-sdk/openai-4';
import { createOpenRouter } from '@openrouter/ai-sdk-provider';
import * as sdk from 'ai';
import * as sdk7 from 'ai-7';
import { connection, systemPrompt } from './agent.js';
import { aiSdkAgents, type ModelOf } from './ai-sdk-agents.js';

/** The models and agents of AI SDK 6. */
export const aiSdk6 = aiSdkAgents({
  sdk,
  createOpenAI,
  createAnthropic,
  settings: { system: systemPrompt, stopWhen: sdk.stepCountIs(10) },
  messagesIn: async ({ response }) => (await response).messages,
});

/** Those of AI SDK 7. */
export const aiSdk7 = aiSdkAgents({
  sdk: sdk7,
  createOpenAI: createOpenAI4,
  createAnthropic: createAnthropic4,
  settings: { instructions: systemPrompt, stopWhen: sdk7.isStepCount(10) },
  messagesIn: async (answer: Awaited<ReturnType<typeof sdk7.generateText>>) => answer.responseMessages,
} as never);

/** A model of the AI SDK that speaks Bedrock's Converse API, with an API key. */
export const bedrockModel: ModelOf = (options) =>
  createAmazonBedrock({ ...connection(options, ''), region: 'us-east-1' })(
    'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  );

/** A model of OpenRouter's own provider for the AI SDK. */
export const openRouterModel: ModelOf = (options) =>
  createOpenRouter(connection(options, '/api/v1'))('openai/gpt-5');
