import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { aiSdkRecall } from '@ctx/recall/ai-sdk';
import { createOpenRouter } from '@openrouter/ai-sdk-provider';
import {
  generateText,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  stepCountIs,
  streamText,
  type ToolSet,
  tool,
} from 'ai';
import { type Agent, type AgentOptions, type AgentRun, runTasks, systemPrompt, type Task } from './agent.js';
import { tools } from './tools.js';

/** Makes the model of an agent from where it is found. */
export type ModelOf = (options: AgentOptions) => LanguageModel;

/** A model of the AI SDK that speaks chat completions. */
export const openAiChatModel: ModelOf = ({ baseURL, fetch }) =>
  createOpenAI({ apiKey: 'sk-test', baseURL: `${baseURL}/v1`, ...(fetch && { fetch }) }).chat('gpt-5');

/** A model of the AI SDK that speaks Responses. */
export const openAiResponsesModel: ModelOf = ({ baseURL, fetch }) =>
  createOpenAI({ apiKey: 'sk-test', baseURL: `${baseURL}/v1`, ...(fetch && { fetch }) }).responses('gpt-5');

/** A model of the AI SDK that speaks Anthropic's Messages API. */
export const anthropicModel: ModelOf = ({ baseURL, fetch }) =>
  createAnthropic({ apiKey: 'sk-test', baseURL: `${baseURL}/v1`, ...(fetch && { fetch }) })(
    'claude-sonnet-5-5',
  );

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

const providerOptions = {
  anthropic: { thinking: { type: 'adaptive' } },
  openai: { store: false, include: ['reasoning.encrypted_content'] },
};

/** An agent on `generateText`; `prepareStep` changes the messages of each step. */
export const aiSdkGenerate = (modelOf: ModelOf, prepareStep?: PrepareStep): Agent =>
  aiSdkAgent(modelOf, async (request) => {
    const { text, response } = await generateText(
      prepareStep === undefined ? request : { ...request, prepareStep },
    );
    return { text, messages: response.messages };
  });

/** An agent on `streamText`. */
export const aiSdkStream = (modelOf: ModelOf): Agent =>
  aiSdkAgent(modelOf, async (request) => {
    let failure: { readonly error: unknown } | undefined;
    const result = streamText({
      ...request,
      onError: ({ error }) => {
        failure = { error };
      },
    });
    await result.consumeStream();
    if (failure !== undefined) throw failure.error;
    return { text: await result.text, messages: (await result.response).messages };
  });

type PrepareStep = NonNullable<Parameters<typeof generateText>[0]['prepareStep']>;

type Ask = (request: Parameters<typeof generateText>[0]) => Promise<{
  readonly text: string;
  readonly messages: readonly ModelMessage[];
}>;

function aiSdkAgent(modelOf: ModelOf, ask: Ask): Agent {
  return (options) => {
    const model = modelOf(options);
    const history: ModelMessage[] = [];
    return runTasks(options, async (task, run) => {
      run.history = history;
      history.push({ role: 'user', content: contentOf(task) });
      const { text, messages } = await ask({
        model,
        system: systemPrompt,
        messages: history,
        tools: {
          ...toolsFor(run),
          ...(options.recall === undefined ? {} : { recall: aiSdkRecall(options.recall) }),
        },
        stopWhen: stepCountIs(10),
        maxRetries: 0,
        providerOptions,
      });
      history.push(...messages);
      return text;
    });
  };
}

function toolsFor(run: AgentRun): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, schema, run: execute }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema<{ path: string }>({ ...schema }),
        execute: async (input) => {
          run.toolCalls += 1;
          return execute(input);
        },
      }),
    ]),
  );
}

function contentOf({ prompt, image }: Task) {
  const text = { type: 'text' as const, text: prompt };
  return image === undefined ? [text] : [text, { type: 'image' as const, image, mediaType: 'image/png' }];
}
