import { type AnthropicConversation, anthropicCodec } from '@ctx/codec-anthropic';
import { type ChatMessage, openaiCodec } from '@ctx/codec-openai';
import type { Codec } from '@ctx/core';

/** The body of a request, as it was parsed. */
export type Body = Readonly<Record<string, unknown>>;

/** The form of a provider's requests: where the conversation stands in them. */
export interface WireForm<Native = unknown> {
  readonly provider: string;
  /** The end of the path of a URL. */
  readonly path: RegExp;
  readonly codec: Codec<Native>;
  /** The fields of the body that hold the conversation. */
  readonly members: readonly string[];
  /** `undefined` if the body holds no conversation. */
  read(body: Body): Native | undefined;
  /** The fields of `members` for a conversation. */
  write(native: Native): Body;
  modelOf(body: Body, url: URL): string | undefined;
  /** Why a request of this form can't be managed; `undefined` if it can. */
  obstacle?(body: Body): string | undefined;
}

const named = (body: Body) => (typeof body.model === 'string' ? body.model : undefined);
const listAt = (body: Body, key: string) =>
  Array.isArray(body[key]) && body[key].length > 0 ? (body[key] as unknown[]) : undefined;

const openaiChat: WireForm<ChatMessage[]> = {
  provider: 'openai',
  path: /\/chat\/completions$/,
  codec: openaiCodec,
  members: ['messages'],
  read: (body) => listAt(body, 'messages') as ChatMessage[] | undefined,
  write: (messages) => ({ messages }),
  modelOf: named,
};

const anthropicMessages: WireForm<AnthropicConversation> = {
  provider: 'anthropic',
  path: /\/messages$/,
  codec: anthropicCodec,
  members: ['system', 'messages'],
  read: ({ system, ...body }) => {
    const messages = listAt(body, 'messages');
    if (messages === undefined) return undefined;
    return { ...(system !== undefined && { system }), messages } as AnthropicConversation;
  },
  write: ({ system, messages }) => ({ system, messages }),
  modelOf: named,
};

/** A form whose conversations only its own functions see. */
const erased = <Native>(form: WireForm<Native>) => form as unknown as WireForm;

export const wireForms: readonly WireForm[] = [erased(openaiChat), erased(anthropicMessages)];

/** Endpoints that are known and hold no conversation to be managed. */
export const otherEndpoints =
  /\/(count_tokens|embeddings|moderations|files|batches|models|images\/\w+|audio\/\w+|uploads|fine_tuning\/\w+)$|:(countTokens|embedContent|batchEmbedContents)$/;
