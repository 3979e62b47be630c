import { type AnyPromptMessage, type PromptVersion, promptCodecFor } from '@ctx/codec-ai-sdk';
import {
  Conversations,
  type ConversationsOptions,
  refuseOptions,
  reportedUsage,
  type Turn,
  Warnings,
} from '@ctx/conversation';
import { begun, RefusedStream } from './begun-stream.js';
import {
  type CallModel,
  type CallParams,
  type ContextCall,
  leftToProvider,
  makerOf,
  type StreamPart,
} from './call.js';
import { type SummaryLanguageModel, summaryModel } from './summary-model.js';

/**
 * What an answer reports, in its provider's words, as far as the SDK carries them along. Version 5 leaves cached tokens out of the usage of
 * Anthropic's models.
 * @param answer a whole answer, or the last part of a stream
 */
function reported(answer: unknown): unknown {
  const { providerMetadata, response, usage } = fieldsOf(answer);
  const { anthropic } = fieldsOf(providerMetadata);
  const { body } = fieldsOf(response);
  const said = [body, ...Object.values(fieldsOf(providerMetadata))].map(fieldsOf);
  const find = (...names: string[]) =>
    said.flatMap((one) => names.map((name) => one[name])).find((value) => value != null);
  return {
    usage: fieldsOf(anthropic).usage ?? usage,
    diagnostics: find('diagnostics'),
    input_transformations: find('input_transformations', 'inputTransformations'),
    prompt_cache_diagnostics: find('prompt_cache_diagnostics', 'promptCacheDiagnostics'),
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

export interface ContextMiddlewareOptions extends ConversationsOptions {
  /**
   * The key of the conversation that a call belongs to.
   * @default the longest history that it has in common with a known conversation
   */
  readonly conversation?: ((call: ContextCall) => string | undefined) | undefined;
  /**
   * Summarises what is compressed; its summary stands before the excerpt. If it fails, the excerpt is sent alone, with a warning. Give a model
   * without this middleware.
   * @default none
   */
  readonly summarize?: SummaryLanguageModel | undefined;
}

/** Is a `LanguageModelMiddleware` of the AI SDK, in each of the versions 5 to 7. */
export interface ContextMiddleware {
  /** Version 6 demands `v3` here and version 7 demands `v4`; neither reads it. Only this type fits both. */
  readonly specificationVersion: never;
  wrapGenerate<Params extends CallParams, Answer>(call: {
    readonly params: Params;
    readonly model: CallModel & { doGenerate(params: Params): PromiseLike<Answer> };
  }): Promise<Answer>;
  wrapStream<
    Params extends CallParams,
    Answer extends { readonly stream: ReadableStream<StreamPart> },
  >(call: {
    readonly params: Params;
    readonly model: CallModel & { doStream(params: Params): PromiseLike<Answer> };
  }): Promise<Answer>;
}

/** The versions of the interface between the AI SDK and its providers that ctx knows. */
const versions: readonly PromptVersion[] = ['v2', 'v3', 'v4'];

type Prompt = readonly AnyPromptMessage[];

/**
 * Middleware for `wrapLanguageModel`, which keeps each conversation that passes through the model inside its window, and sends a smaller one
 * if the provider says that it was too large. Whatever ctx does not understand, or fails to do, is sent unchanged.
 * @throws what the model throws
 */
export function contextMiddleware(options: ContextMiddlewareOptions = {}): ContextMiddleware {
  refuseOptions(options, ['conversation', 'summarize']);
  const { conversation: keyOf, summarize, ...rest } = options;
  const summarizer = summarize && summaryModel(summarize);
  const warnings = new Warnings(rest.onWarning);
  const conversations = new Map<string, Conversations<Prompt>>(
    versions.map((version) => [version, new Conversations<Prompt>(promptCodecFor(version), rest, warnings)]),
  );

  /** The turn that a call asks for; `undefined` if it is none of ours. */
  async function turnOf(call: ContextCall): Promise<Turn<Prompt> | undefined> {
    const { params, model } = call;
    const known = conversations.get(model.specificationVersion);
    if (known === undefined) {
      warnings.once(
        'specification-unknown',
        'Requests pass unchanged: ctx does not know this version of models',
      );
      return undefined;
    }
    const left = leftToProvider(params);
    if (left !== undefined && left !== 'at-once') warnings.once(left.code, left.message);
    if (left !== undefined) return undefined;
    return warnings.attempt(async () => {
      const named = keyOf?.(call);
      return known.turn(params.prompt, {
        provider: makerOf(model.provider),
        model: model.modelId,
        tools: params.tools,
        options: params.providerOptions,
        summarize: summarizer,
        ...(named !== undefined && { key: named, scope: named }),
      });
    });
  }

  const answered = (turn: Turn<Prompt> | undefined, answer: unknown) =>
    warnings.attempt(async () => turn?.answered(reportedUsage(reported(answer))));

  return {
    specificationVersion: 'v4' as never,
    wrapGenerate: async ({ params, model }) => {
      const turn = await turnOf({ type: 'generate', params, model });
      return sent(warnings, turn, params, async (smaller) => {
        const answer = await model.doGenerate(smaller);
        await answered(turn, answer);
        return answer;
      });
    },
    wrapStream: async ({ params, model }) => {
      const turn = await turnOf({ type: 'stream', params, model });
      if (turn === undefined) return model.doStream(params);
      const onEnd = async (finish: StreamPart | undefined) => void (await answered(turn, finish));
      return sent(warnings, turn, params, async (smaller) => begun(await model.doStream(smaller), onEnd));
    },
  };
}

/** Sends a call until the provider takes it or nothing more can be removed. */
async function sent<Params extends CallParams, Answer>(
  warnings: Warnings,
  turn: Turn<Prompt> | undefined,
  params: Params,
  call: (params: Params) => Promise<Answer>,
): Promise<Answer> {
  const signal = params.abortSignal;
  let prompt = await warnings.attempt(async () => turn?.prepare({ signal }));
  for (;;) {
    try {
      return await call(prompt === undefined ? params : { ...params, prompt });
    } catch (error) {
      prompt = await warnings.attempt(async () => turn?.recovered(error, { signal }));
      if (prompt === undefined) {
        if (error instanceof RefusedStream) return error.answer as Answer;
        throw error;
      }
      if (error instanceof RefusedStream) error.drop();
    }
  }
}
