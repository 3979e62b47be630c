import {
  type AnthropicConversation,
  anthropicCodec,
  type ConverseConversation,
  converseCodec,
} from '@ctx/codec-anthropic';
import { type GoogleConversation, googleCodec } from '@ctx/codec-google';
import {
  type ChatMessage,
  type OllamaMessage,
  ollamaCodec,
  openaiCodec,
  type ResponseInputItem,
  responsesCodec,
  storedConversation,
} from '@ctx/codec-openai';
import { storedWarning, threadObstacle, type Warning } from '@ctx/conversation';
import type { Codec } from '@ctx/core';
import type { AnswerForm } from './hidden/answer-form.js';
import { anthropicAnswers } from './hidden/anthropic-answers.js';
import { chatAnswers } from './hidden/chat-answers.js';
import { googleAnswers } from './hidden/google-answers.js';
import { responsesAnswers } from './hidden/responses-answers.js';

/** The body of a request, as it was parsed. */
export type Body = Readonly<Record<string, unknown>>;

/** The form of a provider's requests: where the conversation is in them. */
export interface WireForm<Native = unknown> {
  readonly provider: string;
  /** The end of the path of a URL. */
  readonly path: RegExp;
  /** The end of the path at which the provider counts the tokens of the same body. */
  readonly countPath?: RegExp;
  /** The end of the path at which the provider writes a summary of the same body. */
  readonly compactPath?: RegExp;
  readonly codec: Codec<Native>;
  /** How its answers are read to answer a hidden tool on the way; missing where none can be offered. */
  readonly answers?: AnswerForm;
  /** The field of the body with the list of what was said. */
  readonly list: string;
  /** The fields of the body that hold the conversation. */
  readonly members: readonly string[];
  /** The conversation from the provider's newest summary of it on; `undefined` if the body holds none. */
  read(body: Body): Native | undefined;
  /** The fields of `members` for a conversation. */
  write(native: Native): Body;
  modelOf(body: Body, url: URL): string | undefined;
  /** The window that the body itself sets, in tokens; `undefined` if it says none. */
  limitOf?(body: Body): number | undefined;
  /** The tokens that the answer may have, if they count as part of the window; `undefined` if the body does not say. */
  answerTokensOf?(body: Body): number | undefined;
  /** The most tokens that the answer may have; `undefined` if the body does not say. */
  outputTokensOf(body: Body): number | undefined;
  /** Why a request of this form can't be managed: a warning; `undefined` if it can. */
  obstacle?(body: Body): Warning | undefined;
}

const named = (body: Body) => (typeof body.model === 'string' ? body.model : undefined);
const listAt = (body: Body, key: string) =>
  Array.isArray(body[key]) && body[key].length > 0 ? (body[key] as unknown[]) : undefined;
const fieldsAt = (value: unknown) => (typeof value === 'object' && value !== null ? value : {}) as Body;

function countAt(value: unknown, key: string): number | undefined {
  const { [key]: count } = fieldsAt(value);
  return typeof count === 'number' && count > 0 ? count : undefined;
}

/** The tools that a request offers. Converse has them one level deeper. */
export const toolsIn = ({ tools, toolConfig }: Body): unknown => tools ?? fieldsAt(toolConfig).tools;

/** What a body says of the cache beside its history and its tools. */
export const cacheOptionsIn = ({
  cache_control,
  prompt_cache_options,
  prompt_cache_retention,
}: Body): Body => ({
  cache_control,
  prompt_cache_options,
  prompt_cache_retention,
});

/** Where a conversation is a list in a field, and nothing else. */
const listIn = <Native>(list: string) => ({
  list,
  members: [list],
  read: (body: Body) => listAt(body, list) as Native | undefined,
  write: (native: Native): Body => ({ [list]: native }),
});

/** Where a conversation is a list in a field, and a system prompt in another. */
const promptedListIn = <Native extends object>(system: string, list: string) => ({
  list,
  members: [system, list],
  read(body: Body) {
    const messages = listAt(body, list);
    const prompt = body[system] !== undefined && { [system]: body[system] };
    return messages && ({ ...prompt, [list]: messages } as Native);
  },
  write: (native: Native): Body => ({
    [system]: (native as Body)[system],
    [list]: (native as Body)[list],
  }),
});

const openaiChat: WireForm<ChatMessage[]> = {
  ...listIn('messages'),
  provider: 'openai',
  path: /\/chat\/completions$/,
  codec: openaiCodec,
  answers: chatAnswers,
  modelOf: named,
  outputTokensOf: (body) => countAt(body, 'max_completion_tokens') ?? countAt(body, 'max_tokens'),
};

const anthropicMessages: WireForm<AnthropicConversation> = {
  ...promptedListIn('system', 'messages'),
  provider: 'anthropic',
  path: /\/messages$/,
  countPath: /\/messages\/count_tokens$/,
  codec: anthropicCodec,
  answers: anthropicAnswers,
  modelOf: named,
  answerTokensOf: (body) => countAt(body, 'max_tokens'),
  outputTokensOf: (body) => countAt(body, 'max_tokens'),
  obstacle: threadObstacle,
};

/** A model in the path, as Vertex (`…/models/MODEL:rawPredict`) and Bedrock (`/model/MODEL/invoke`) have it. */
const claudePath =
  /\/models\/([^/]+):(?:streamR|r)awPredict$|\/model\/([^/]+)\/invoke(?:-with-response-stream)?$/;

const { countPath: _, ...claude } = anthropicMessages;
/** Claude on Vertex and Bedrock, which count no tokens. Bodies of other models there have no version. */
const anthropicElsewhere: WireForm<AnthropicConversation> = {
  ...claude,
  path: claudePath,
  read: (body) => (typeof body.anthropic_version === 'string' ? anthropicMessages.read(body) : undefined),
  modelOf: (_, { pathname }) => {
    const [, onVertex, onBedrock] = claudePath.exec(pathname) ?? [];
    return decodeURIComponent(onVertex ?? onBedrock ?? '');
  },
};

const openaiResponses: WireForm<ResponseInputItem[]> = {
  ...listIn('input'),
  provider: 'openai',
  path: /\/responses$/,
  countPath: /\/responses\/input_tokens$/,
  compactPath: /\/responses\/compact$/,
  codec: responsesCodec as Codec<ResponseInputItem[]>,
  answers: responsesAnswers,
  modelOf: named,
  outputTokensOf: (body) => countAt(body, 'max_output_tokens'),
  obstacle: (body) => (storedConversation(body) === undefined ? undefined : storedWarning),
};

const gemini: WireForm<GoogleConversation> = {
  ...promptedListIn('systemInstruction', 'contents'),
  provider: 'google',
  path: /:(stream)?generateContent$/i,
  countPath: /:countTokens$/i,
  codec: googleCodec,
  answers: googleAnswers,
  modelOf: (_, { pathname }) => pathname.split('/').at(-1)?.split(':')[0],
  outputTokensOf: ({ generationConfig }) => countAt(generationConfig, 'maxOutputTokens'),
};

const conversePath = /\/model\/([^/]+)\/converse(?:-stream)?$/;

/** Bedrock's Converse API, for every model there. */
const bedrockConverse: WireForm<ConverseConversation> = {
  ...promptedListIn('system', 'messages'),
  provider: 'bedrock',
  path: conversePath,
  codec: converseCodec,
  modelOf: (_, { pathname }) => decodeURIComponent(conversePath.exec(pathname)?.[1] ?? ''),
  answerTokensOf: ({ inferenceConfig }) => countAt(inferenceConfig, 'maxTokens'),
  outputTokensOf: ({ inferenceConfig }) => countAt(inferenceConfig, 'maxTokens'),
};

/** Ollama's own API. A server that gets more than `num_ctx` drops the oldest messages and says nothing. */
const ollamaChat: WireForm<OllamaMessage[]> = {
  ...listIn('messages'),
  provider: 'ollama',
  path: /\/api\/chat$/,
  codec: ollamaCodec,
  // Web pages have such a path for messages of their own, and no model in the body.
  read: (body) =>
    typeof body.model === 'string' ? (listAt(body, 'messages') as OllamaMessage[] | undefined) : undefined,
  modelOf: named,
  outputTokensOf: ({ options }) => countAt(options, 'num_predict'),
  limitOf: ({ options }) => countAt(options, 'num_ctx'),
};

/** The entries that a summary of the provider's own stands for. They are sent as they are: there is nothing to gain from them. */
export function passedBy({ list }: Pick<WireForm, 'list'>, body: Body): readonly unknown[] {
  const entries: readonly unknown[] = Array.isArray(body[list]) ? body[list] : [];
  return entries.slice(0, Math.max(0, entries.findLastIndex(isSummary)));
}

/** A block whose content is null says that no summary could be written. */
function isSummary(entry: unknown): boolean {
  const { content } = fieldsAt(entry);
  return [entry, ...(Array.isArray(content) ? content : [])]
    .map(fieldsAt)
    .some((one) => one.type === 'compaction' && one.content !== null);
}

/** A form whose conversations only its own functions see. */
function erased<Native>(form: WireForm<Native>): WireForm {
  const read = (body: Body) => {
    const { length } = passedBy(form, body);
    return form.read(length === 0 ? body : { ...body, [form.list]: (body[form.list] as []).slice(length) });
  };
  return { ...form, read } as unknown as WireForm;
}

export const wireForms: readonly WireForm[] = [
  erased(openaiChat),
  erased(openaiResponses),
  erased(anthropicMessages),
  erased(anthropicElsewhere),
  erased(gemini),
  erased(bedrockConverse),
  erased(ollamaChat),
];

/** Endpoints that are known and hold no conversation to be managed. */
const otherEndpoint =
  /[/:](?:audio|batchEmbedContents|batches|cachedContents|compact|count[-_]tokens|countTokens|embedContent|embeddings|files|fine_tuning|images|input_tokens|moderations|uploads)(?:[/:]|$)/;

export function isOtherEndpoint({ pathname }: URL): boolean {
  return otherEndpoint.test(pathname);
}
