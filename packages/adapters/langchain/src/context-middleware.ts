import { langchainCodec } from '@ctx/codec-langchain';
import {
  Conversations,
  type ConversationsOptions,
  refuseOptions,
  reportedUsage,
  Warnings,
} from '@ctx/conversation';
import { isOverflowError } from '@ctx/core/codec';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { BaseMessage } from '@langchain/core/messages';
import { type AgentMiddleware, createMiddleware } from 'langchain';
import {
  cacheOptionsOf,
  describedModel,
  type Handler,
  historyOf,
  type ModelCall,
  reportIn,
  threadOf,
  withHistory,
} from './model-call.js';
import { summaryModel } from './summary-model.js';

/**
 * The error of an overflow in words that core knows; `undefined` for any other error. LangChain's own class of overflows says so by its name,
 * whatever its message; an error that passes through a middleware keeps the name.
 */
function overflowIn(error: unknown): unknown {
  if (isOverflowError(error)) return error;
  const isNamed = error instanceof Error && error.name === 'ContextOverflowError';
  return isNamed ? new Error('The context length was exceeded.', { cause: error }) : undefined;
}

export interface ContextMiddlewareOptions extends ConversationsOptions {
  /**
   * The key of the conversation that a call belongs to.
   * @default the `thread_id` of the run; without one, the longest history that it has in common with a known conversation
   */
  readonly conversation?: ((call: ModelCall) => string | undefined) | undefined;
  /** Summarises what is compressed; its summary stands before the excerpt. If it fails, the excerpt is sent alone, with a warning. @default none */
  readonly summarize?: BaseChatModel | undefined;
}

/**
 * Middleware for `createAgent` that keeps each conversation inside the window of its model, and sends a smaller one if the provider says that
 * it was too large. The state of the agent keeps all messages; only what the model sees is made smaller. Whatever ctx fails to do goes out as
 * it came, with a warning.
 */
export function contextMiddleware(options: ContextMiddlewareOptions = {}): AgentMiddleware {
  refuseOptions(options, ['conversation', 'summarize']);
  const { conversation: keyOf, summarize, ...rest } = options;
  const summarizer = summarize && summaryModel(summarize);
  const warnings = new Warnings(rest.onWarning);
  const conversations = new Conversations<BaseMessage[]>(langchainCodec, rest, warnings);

  const begin = (call: ModelCall) => {
    const named = keyOf?.(call) ?? threadOf(call);
    return conversations.turn(historyOf(call), {
      ...describedModel(call.model),
      tools: call.tools,
      options: cacheOptionsOf(call),
      summarize: summarizer,
      ...(named !== undefined && { scope: named, key: named }),
    });
  };

  async function wrapModelCall(call: ModelCall, handler: Handler): Promise<Awaited<ReturnType<Handler>>> {
    const signal = call.runtime?.signal;
    const prepared = await warnings.attempt(async () => {
      const turn = await begin(call);
      return { turn, next: withHistory(call, await turn.prepare({ signal })) };
    });
    if (prepared === undefined) return handler(call);
    const { turn } = prepared;
    let { next } = prepared;
    for (;;) {
      try {
        const answer = await handler(next);
        await warnings.attempt(async () => turn.answered(reportedUsage(reportIn(answer))));
        return answer;
      } catch (error) {
        const smaller = await warnings.attempt(async () => {
          const overflow = overflowIn(error);
          return overflow === undefined ? undefined : turn.recovered(overflow, { signal });
        });
        if (smaller === undefined) throw error;
        next = withHistory(call, smaller);
      }
    }
  }

  return createMiddleware({ name: 'ContextMiddleware', wrapModelCall });
}
