import { ChatOpenAI } from '@langchain/openai';
import { pruneMessages } from 'ai';
import {
  type BaseMessage,
  ClearToolUsesEdit,
  contextEditingMiddleware,
  createMiddleware,
  summarizationMiddleware,
  trimMessages,
} from 'langchain';
import type { AgentOptions } from './agent.js';
import { type NamedAgent, named } from './agents.js';
import { aiSdkGenerate, openAiChatModel } from './ai-sdk.js';
import { langChain, langChainAgent } from './langchain.js';

/** Tokens at which they begin: two thirds of the window of the comparison, to leave them room for the error of their own estimates. */
const trigger = { tokens: 8_000 };
/** As their documentation has it, where it says anything. */
const keep = { messages: 20 };

const summarizer = ({ baseURL, fetch }: AgentOptions) =>
  new ChatOpenAI({
    apiKey: 'sk-test',
    model: 'gpt-4.1',
    maxRetries: 0,
    configuration: { baseURL: `${baseURL}/v1`, ...(fetch && { fetch }) },
  });

/** Tokens by the rule that the others use by default: 4 characters each. */
const counted = (messages: BaseMessage[]) =>
  messages.reduce((sum, message) => sum + Math.ceil(JSON.stringify(message.toDict().data).length / 4), 0);

const trimming = createMiddleware({
  name: 'trimming',
  wrapModelCall: async (request, handler) => {
    const messages = await trimMessages(request.messages, {
      maxTokens: trigger.tokens,
      tokenCounter: counted,
      strategy: 'last',
      startOn: 'human',
    });
    return handler({ ...request, messages });
  },
});

const agent = (name: string, run: NamedAgent['run']) => named(name, 'chat', run);

/** The same agents with what their frameworks have for a full window, set up as its documentation says. */
export const peers: readonly NamedAgent[] = [
  agent('LangChain, nothing', langChain),
  agent('LangChain `summarizationMiddleware`', (options) =>
    // The type of its options is `never` with exactOptionalPropertyTypes.
    langChainAgent(options, [
      summarizationMiddleware({ model: summarizer(options), trigger, keep } as never),
    ]),
  ),
  agent('LangChain `contextEditingMiddleware` (`ClearToolUsesEdit`)', (options) =>
    langChainAgent(options, [
      contextEditingMiddleware({ edits: [new ClearToolUsesEdit({ trigger, keep: { messages: 3 } })] }),
    ]),
  ),
  agent('LangChain `trimMessages` before each call', (options) => langChainAgent(options, [trimming])),
  agent('AI SDK 6, nothing', aiSdkGenerate(openAiChatModel)),
  agent(
    'AI SDK 6 `pruneMessages` in `prepareStep`',
    aiSdkGenerate(openAiChatModel, ({ messages }) => ({
      messages: pruneMessages({ messages, reasoning: 'all', toolCalls: 'before-last-10-messages' }),
    })),
  ),
];

/** The agents that the peers are compared with, to be run with an adapter of ctx. */
export const compared: readonly NamedAgent[] = [
  agent('LangChain with `contextFetch`', langChain),
  agent('AI SDK 6 with `contextFetch`', aiSdkGenerate(openAiChatModel)),
];
