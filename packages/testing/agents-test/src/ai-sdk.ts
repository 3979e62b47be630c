import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenRouter } from '@openrouter/ai-sdk-provider';
import * as sdk from 'ai';
import { systemPrompt } from './agent.js';
import { aiSdkAgents, type ModelOf } from './ai-sdk-agents.js';

/** The models and agents of AI SDK 6. */
export const { openAiChatModel, openAiResponsesModel, anthropicModel, wrapped, aiSdkGenerate, aiSdkStream } =
  aiSdkAgents({
    sdk,
    createOpenAI,
    createAnthropic,
    settings: { system: systemPrompt, stopWhen: sdk.stepCountIs(10) },
    messagesIn: async ({ response }) => (await response).messages,
  });

/** A model of the AI SDK that speaks Bedrock's Converse API, with an API key. */
export const bedrockModel: ModelOf = ({ baseURL, fetch }) =>
  createAmazonBedrock({ apiKey: 'test', region: 'us-east-1', baseURL, ...(fetch && { fetch }) })(
    'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  );

/** A model of OpenRouter's own provider for the AI SDK. */
export const openRouterModel: ModelOf = ({ baseURL, fetch }) =>
  createOpenRouter({ apiKey: 'sk-test', baseURL: `${baseURL}/api/v1`, ...(fetch && { fetch }) })(
    'openai/gpt-5',
  );
