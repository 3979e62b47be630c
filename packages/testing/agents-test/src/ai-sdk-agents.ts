import type { createAnthropic } from '@ai-sdk/anthropic';
import type { createOpenAI } from '@ai-sdk/openai';
import { contextMiddleware } from '@ctx/ai-sdk';
import { aiSdkRecall } from '@ctx/recall/ai-sdk';
import type {
  generateText,
  jsonSchema,
  LanguageModel,
  ModelMessage,
  streamText,
  tool,
  wrapLanguageModel,
} from 'ai';
import { type Agent, type AgentOptions, type AgentRun, connection, runTasks } from './agent.js';
import { countedTools } from './tools.js';

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
export function aiSdkAgents({ sdk, createOpenAI, createAnthropic, settings, messagesIn }: AiSdk) {
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
        const offered = { ...toolsFor(sdk, run), ...recall };
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

const toolsFor = ({ tool, jsonSchema }: AiSdk['sdk'], run: AgentRun) =>
  Object.fromEntries(
    countedTools(run).map(({ name, description, schema, run: execute }) => {
      const inputSchema = jsonSchema<{ path: string }>({ ...schema });
      return [name, tool({ description, inputSchema, execute: async (input) => execute(input) })];
    }),
  );
