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
import { type AnswerForm, fieldsIn } from './hidden/answer-form.js';
import { anthropicAnswers } from './hidden/anthropic-answers.js';
import { chatAnswers } from './hidden/chat-answers.js';
import { googleAnswers } from './hidden/google-answers.js';
import { responsesAnswers } from './hidden/responses-answers.js';

/** The body of a request, as it was parsed. */
export type Body = Readonly<Record<string, unknown>>;

/**
 * What a request is for: the next turn of a conversation, the count of its tokens, or a summary with which the agent shortens the
 * conversation by itself.
 */
export type Purpose = 'turn' | 'count' | 'compaction';

/** The form of a provider's requests: where the conversation is in them. */
export interface WireForm<Native = unknown> {
  readonly provider: string;
  /** The ends of the paths of its URLs, by what is done there with the same body. */
  readonly paths: { readonly [Of in Purpose]?: RegExp };
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
  /** The window that the body itself sets, in tokens; `undefined` if it says none. */
  limitOf?(body: Body): number | undefined;
  /** True if the tokens that the answer may have count as part of the window. */
  readonly isAnswerInWindow?: boolean;
  /** Why a request of this form can't be managed: a warning; `undefined` if it can. */
  obstacle?(body: Body): Warning | undefined;
}

const listAt = (body: Body, key: string) =>
  Array.isArray(body[key]) && body[key].length > 0 ? (body[key] as unknown[]) : undefined;
const isCount = (value: unknown): value is number => typeof value === 'number' && value > 0;

/** The model that a body names, or a path: `…/MODEL:generateContent` of Google and Vertex, `/model/MODEL/invoke` of Bedrock. */
export function modelOf({ model }: Body, { pathname }: URL): string | undefined {
  if (typeof model === 'string') return model;
  const [, onBedrock] = /\/model\/([^/]+)\/[^/]+$/.exec(pathname) ?? [];
  const [onGoogle, action] = pathname.slice(pathname.lastIndexOf('/') + 1).split(':');
  const inPath = onBedrock ?? (action && onGoogle);
  return inPath && decodeURIComponent(inPath);
}

/** The most tokens that the answer may have; `undefined` if the body does not say. */
export function outputTokensOf(body: Body): number | undefined {
  const { max_completion_tokens, max_tokens, max_output_tokens } = body;
  const { generationConfig, inferenceConfig, options } = body;
  const inside = [
    fieldsIn(generationConfig).maxOutputTokens,
    fieldsIn(inferenceConfig).maxTokens,
    fieldsIn(options).num_predict,
  ];
  const counts = [max_completion_tokens, max_tokens, max_output_tokens, ...inside];
  return counts.find(isCount);
}

/** The tools that a request offers. Converse has them one level deeper. */
export const toolsIn = ({ tools, toolConfig }: Body): unknown => tools ?? fieldsIn(toolConfig).tools;

/** What a body says of the cache beside its history and its tools. */
export const cacheOptionsIn = (body: Body) =>
  ['cache_control', 'prompt_cache_options', 'prompt_cache_retention'].map((key) => ({ [key]: body[key] }));

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
  paths: { turn: /\/chat\/completions$/ },
  codec: openaiCodec,
  answers: chatAnswers,
};

const anthropicMessages: WireForm<AnthropicConversation> = {
  ...promptedListIn('system', 'messages'),
  provider: 'anthropic',
  paths: { turn: /\/messages$/, count: /\/messages\/count_tokens$/ },
  codec: anthropicCodec,
  answers: anthropicAnswers,
  isAnswerInWindow: true,
  obstacle: threadObstacle,
};

/** Claude on Vertex and Bedrock, which count no tokens. Bodies of other models there have no version. */
const anthropicElsewhere: WireForm<AnthropicConversation> = {
  ...anthropicMessages,
  paths: {
    turn: /\/models\/[^/]+:(?:streamR|r)awPredict$|\/model\/[^/]+\/invoke(?:-with-response-stream)?$/,
  },
  read: (body) => (typeof body.anthropic_version === 'string' ? anthropicMessages.read(body) : undefined),
};

const openaiResponses: WireForm<ResponseInputItem[]> = {
  ...listIn('input'),
  provider: 'openai',
  paths: {
    turn: /\/responses$/,
    count: /\/responses\/input_tokens$/,
    compaction: /\/responses\/compact$/,
  },
  codec: responsesCodec as Codec<ResponseInputItem[]>,
  answers: responsesAnswers,
  obstacle: (body) => (storedConversation(body) === undefined ? undefined : storedWarning),
};

const gemini: WireForm<GoogleConversation> = {
  ...promptedListIn('systemInstruction', 'contents'),
  provider: 'google',
  paths: { turn: /:(stream)?generateContent$/i, count: /:countTokens$/i },
  codec: googleCodec,
  answers: googleAnswers,
};

/** Bedrock's Converse API, for every model there. */
const bedrockConverse: WireForm<ConverseConversation> = {
  ...promptedListIn('system', 'messages'),
  provider: 'bedrock',
  paths: { turn: /\/model\/[^/]+\/converse(?:-stream)?$/ },
  codec: converseCodec,
  isAnswerInWindow: true,
};

/** Ollama's own API. A server that gets more than `num_ctx` drops the oldest messages and says nothing. */
const ollamaChat: WireForm<OllamaMessage[]> = {
  ...listIn('messages'),
  provider: 'ollama',
  paths: { turn: /\/api\/chat$/ },
  codec: ollamaCodec,
  // Web pages have such a path for messages of their own, and no model in the body.
  read: (body) =>
    typeof body.model === 'string' ? (listAt(body, 'messages') as OllamaMessage[] | undefined) : undefined,
  limitOf({ options }) {
    const { num_ctx: tokens } = fieldsIn(options);
    return isCount(tokens) ? tokens : undefined;
  },
};

/** The entries that a summary of the provider's own stands for. They are sent as they are: there is nothing to gain from them. */
export function passedBy({ list }: Pick<WireForm, 'list'>, body: Body): readonly unknown[] {
  const entries: readonly unknown[] = Array.isArray(body[list]) ? body[list] : [];
  return entries.slice(0, Math.max(0, entries.findLastIndex(isSummary)));
}

/** A block whose content is null says that no summary could be written. */
function isSummary(entry: unknown): boolean {
  const { content } = fieldsIn(entry);
  return [entry, ...(Array.isArray(content) ? content : [])]
    .map(fieldsIn)
    .some((one) => one.type === 'compaction' && one.content !== null);
}

const forms = [
  openaiChat,
  openaiResponses,
  anthropicMessages,
  anthropicElsewhere,
  gemini,
  bedrockConverse,
  ollamaChat,
] as readonly unknown[] as readonly WireForm[];

/** Their conversations only their own functions see. */
export const wireForms = forms.map((form): WireForm => {
  const read = (body: Body) => {
    const { length } = passedBy(form, body);
    return form.read(length === 0 ? body : { ...body, [form.list]: (body[form.list] as []).slice(length) });
  };
  return { ...form, read };
});

/** Endpoints that are known and hold no conversation to be managed. */
const otherEndpoint =
  /[/:](?:audio|batchEmbedContents|batches|cachedContents|compact|count[-_]tokens|countTokens|embedContent|embeddings|files|fine_tuning|images|input_tokens|moderations|uploads)(?:[/:]|$)/;

export function isOtherEndpoint({ pathname }: URL): boolean {
  return otherEndpoint.test(pathname);
}
