import type { AnyPromptMessage } from '@ctx/codec-ai-sdk';
import { compactsWarning, ownCompaction, storedWarning, type Warning } from '@ctx/conversation';

/** What ctx reads of the options with which the AI SDK calls a model, in versions 5 to 7. */
export interface CallParams {
  readonly prompt: readonly AnyPromptMessage[];
  readonly tools?: readonly unknown[] | undefined;
  readonly abortSignal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  readonly providerOptions?: Readonly<Record<string, object>> | undefined;
}

/** What ctx reads of a model. */
export interface CallModel {
  /** `v2` in version 5, `v3` in version 6, `v4` in version 7. */
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
}

/** A call of a model, for those who know which conversation it belongs to. */
export interface ContextCall {
  readonly type: 'generate' | 'stream';
  readonly params: CallParams;
  readonly model: CallModel;
}

/** What ctx reads of a part of a streamed answer. */
export interface StreamPart {
  readonly type: string;
}

/** Who made a model, of the name that the AI SDK gives its provider, such as `openai.responses`. */
export function makerOf(provider: string): string {
  return provider.split('.', 1)[0] as string;
}

/**
 * Why a call is none of ours, by the options that the SDK's providers of Anthropic and OpenAI have: the provider stores the conversation, or
 * compacts it. `'at-once'` asks for a summary now, and is no turn; `undefined` for a turn.
 */
export function leftToProvider({ providerOptions = {} }: CallParams): Warning | 'at-once' | undefined {
  for (const [provider, options] of Object.entries(providerOptions)) {
    const { thread, compaction, contextManagement, compactionTrigger, previousResponseId, conversation } =
      (options ?? {}) as Readonly<Record<string, unknown>>;
    // A caller may keep a key of his own under this name.
    if (typeof thread === 'object' && thread !== null) return threadWarning;
    const isStored = isId(previousResponseId) || (isId(conversation) && /openai|azure/.test(provider));
    if (isStored) return storedWarning;
    const fields = { compaction, context_management: contextManagement };
    const own = compactionTrigger === true ? 'at-once' : ownCompaction(fields);
    if (own !== undefined) return own === 'at-once' ? own : compactsWarning;
  }
  return undefined;
}

const threadWarning: Warning = {
  code: 'message-thread',
  message:
    "Anthropic stores this conversation as a message thread, and only what is new is sent, so the call passes unchanged. To have it managed, use `createAnthropic({ fetch: contextFetch({ threads: 'replay' }) })` in place of the middleware, or leave out `thread`",
};

const isId = (value: unknown) => typeof value === 'string' && value !== '';
