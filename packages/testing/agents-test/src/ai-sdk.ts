import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createAnthropic as createAnthropic4 } from '@ai-sdk/anthropic-4';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAI as createOpenAI4 } from '@ai-sdk/openai-4';
import { contextMiddleware } from '@ctx/ai-sdk';
import { aiSdkRecall } from '@ctx/recall/ai-sdk';
import { createOpenRouter } from '@openrouter/ai-sdk-provider';
import type {
  generateText,
  jsonSchema,
  LanguageModel,
  ModelMessage,
  streamText,
  tool,
  wrapLanguageModel,
} from 'ai';
import * as sdk from 'ai';
import * as sdk7 from 'ai-7';
import { type Agent, type AgentOptions, connection, runTasks, systemPrompt } from './agent.js';
import { tools } from './tools.js';

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

type Request = Parameters<typeof generateText>[0];
type Answer = Awaited<ReturnType<typeof generateText>> | ReturnType<typeof streamText>;
type Wrappable = Parameters<typeof wrapLanguageModel>[0]['model'];

/** A version of the AI SDK, with the types of version 6. */
interface AiSdk {
  readonly sdk: {
    readonly generateText: typeof generateText;
    readonly streamText: typeof streamText;
    readonly jsonSchema: typeof jsonSchema;
    readonly tool: typeof tool;
    readonly wrapLanguageModel: typeof wrapLanguageModel;
  };
  readonly createOpenAI: typeof createOpenAI;
  readonly createAnthropic: typeof createAnthropic;
  /** What each version calls otherwise: the system prompt, and the number of steps after which an agent stops. */
  readonly settings: Pick<Request, 'system' | 'stopWhen'>;
  /** The messages that an answer adds. */
  messagesIn(answer: Answer): Promise<readonly ModelMessage[]>;
}

/** Makes the model of an agent from where it is found. */
export type ModelOf = (options: AgentOptions) => LanguageModel;

const providerOptions = {
  anthropic: { thinking: { type: 'adaptive' } },
  openai: { store: false, include: ['reasoning.encrypted_content'] },
};

/** The models and agents of a version of the AI SDK. */
function aiSdkAgents({ sdk, createOpenAI, createAnthropic, settings, messagesIn }: AiSdk) {
  const openAiChatModel: ModelOf = (options) => createOpenAI(connection(options)).chat('gpt-5');
  const openAiResponsesModel: ModelOf = (options) => createOpenAI(connection(options)).responses('gpt-5');
  const anthropicModel: ModelOf = (options) => createAnthropic(connection(options))('claude-sonnet-5-5');

  const agentOf =
    (modelOf: ModelOf, ask: (request: Request) => Promise<Answer>): Agent =>
    (options) => {
      const model = modelOf(options);
      const history: ModelMessage[] = [];
      const recall = options.recall && { recall: aiSdkRecall(options.recall) };
      return runTasks(options, async ({ prompt: text, image: data }, run) => {
        run.history = history;
        const pictures = data ? [{ type: 'file' as const, data, mediaType: 'image/png' }] : [];
        history.push({ role: 'user', content: [{ type: 'text', text }, ...pictures] });
        const offered = { ...toolsFor(sdk), ...recall };
        const common = { model, messages: history, tools: offered, maxRetries: 0, providerOptions };
        const answer = await ask({ ...settings, ...common } as Request);
        history.push(...(await messagesIn(answer)));
        return answer.text;
      });
    };

  return {
    openAiChatModel,
    openAiResponsesModel,
    anthropicModel,
    /** A model behind `contextMiddleware`, the same for all agents that have it. */
    wrapped: (modelOf: ModelOf, options: Parameters<typeof contextMiddleware>[0]): ModelOf => {
      const middleware = contextMiddleware(options);
      return (where) => sdk.wrapLanguageModel({ model: modelOf(where) as Wrappable, middleware });
    },
    /** An agent on `generateText`. */
    aiSdkGenerate: (modelOf: ModelOf): Agent => agentOf(modelOf, (request) => sdk.generateText(request)),
    /** An agent on `streamText`. */
    aiSdkStream: (modelOf: ModelOf): Agent =>
      agentOf(modelOf, async (request) => {
        let failure: { readonly error: unknown } | undefined;
        const onError = ({ error }: { error: unknown }) => {
          failure = { error };
        };
        const result = sdk.streamText({ ...request, onError } as Parameters<typeof streamText>[0]);
        await result.consumeStream();
        if (failure !== undefined) throw failure.error;
        return result;
      }),
  };
}

const toolsFor = ({ tool, jsonSchema }: AiSdk['sdk']) =>
  Object.fromEntries(
    tools.map(({ name, description, schema, run: execute }) => {
      const inputSchema = jsonSchema<{ path: string }>({ ...schema });
      return [name, tool({ description, inputSchema, execute: async (input) => execute(input) })];
    }),
  );
