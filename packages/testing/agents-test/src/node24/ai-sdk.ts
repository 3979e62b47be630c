import { createAnthropic } from '@ai-sdk/anthropic-4';
import { createOpenAI } from '@ai-sdk/openai-4';
import {
  generateText,
  isStepCount,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  streamText,
  type ToolSet,
  tool,
} from 'ai-7';
import { type Agent, type AgentOptions, type AgentRun, runTasks, systemPrompt, type Task } from '../agent.js';
import { tools } from '../tools.js';

/** Makes the model of an agent from where it is found. */
export type ModelOf = (options: AgentOptions) => LanguageModel;

/** A model of AI SDK 7 that speaks chat completions. */
export const openAiChatModel: ModelOf = ({ baseURL, fetch }) =>
  createOpenAI({ apiKey: 'sk-test', baseURL: `${baseURL}/v1`, ...(fetch && { fetch }) }).chat('gpt-5');

/** A model of AI SDK 7 that speaks Responses. */
export const openAiResponsesModel: ModelOf = ({ baseURL, fetch }) =>
  createOpenAI({ apiKey: 'sk-test', baseURL: `${baseURL}/v1`, ...(fetch && { fetch }) }).responses('gpt-5');

/** A model of AI SDK 7 that speaks Anthropic's Messages API. */
export const anthropicModel: ModelOf = ({ baseURL, fetch }) =>
  createAnthropic({ apiKey: 'sk-test', baseURL: `${baseURL}/v1`, ...(fetch && { fetch }) })(
    'claude-sonnet-5-5',
  );

const providerOptions = {
  anthropic: { thinking: { type: 'adaptive' } },
  openai: { store: false, include: ['reasoning.encrypted_content'] },
};

/** An agent on `generateText`. */
export const aiSdkGenerate = (modelOf: ModelOf): Agent =>
  aiSdkAgent(modelOf, async (request) => {
    const { text, responseMessages } = await generateText(request);
    return { text, messages: responseMessages };
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
    return { text: await result.text, messages: await result.responseMessages };
  });

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
        instructions: systemPrompt,
        messages: history,
        tools: toolsFor(run),
        stopWhen: isStepCount(10),
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
        execute: async (input: { path: string }) => {
          run.toolCalls += 1;
          return execute(input);
        },
      }),
    ]),
  );
}

function contentOf({ prompt, image }: Task) {
  const text = { type: 'text' as const, text: prompt };
  return image === undefined
    ? [text]
    : [text, { type: 'file' as const, data: image, mediaType: 'image/png' }];
}
