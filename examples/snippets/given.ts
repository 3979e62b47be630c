// The names that snippets of the documents may use: a snippet that uses one of them says so in a comment above it.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { modelMessageCodec } from '@ctx/codec-ai-sdk';
import { googleCodec } from '@ctx/codec-google';
import { langchainCodec } from '@ctx/codec-langchain';
import { openaiCodec } from '@ctx/codec-openai';
import {
  ContextManager,
  createContainer,
  defineConfig,
  defineStrategy,
  dropsInOrder,
  type Exchange,
  exchangesOf,
  type Message,
} from '@ctx/core';
import type { contextBedrock } from '@ctx/fetch';
import { type Content, GoogleGenAI } from '@google/genai';
import type { BaseMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import type { ModelMessage } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import OpenAI from 'openai';
import OpenAI7 from 'openai-7';

/** The SDKs themselves. What takes its key and address from the environment asks the servers of `snippets.slow.test.ts`. */
export { Anthropic, ChatOpenAI, createOpenAI, GoogleGenAI, OpenAI, OpenAI7 };

function messagesOf<Turn>(session: string): Turn[] {
  const file = fileURLToPath(new URL(`../sessions/${session}.jsonl`, import.meta.url));
  return (JSON.parse(readFileSync(file, 'utf8')) as { messages: Turn[] }).messages;
}

/** The clients answer by themselves; they send nothing. */
const answering = (body: object) => ({ apiKey: 'none', fetch: async () => Response.json(body) });

export const openai = new OpenAI(
  answering({
    choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
    output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Yes.' }] }],
    usage: { prompt_tokens: 20, input_tokens: 20, completion_tokens: 1, total_tokens: 21 },
  }),
);
export const anthropic = new Anthropic(
  answering({
    role: 'assistant',
    content: [{ type: 'text', text: 'Yes.' }],
    usage: { input_tokens: 20, output_tokens: 1 },
  }),
);

export const gemini = new GoogleGenAI({
  apiKey: 'none',
  httpOptions: {
    fetch: async () =>
      Response.json({
        candidates: [{ content: { role: 'model', parts: [{ text: 'Yes.' }] }, finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 1, totalTokenCount: 21 },
      }),
  },
});

/** As much of a `BedrockRuntimeClient` as plugins use. */
export const bedrockClient = {
  middlewareStack: {
    use: ({ applyToStack }: ReturnType<typeof contextBedrock>) => applyToStack({ add: () => {} }),
  },
};

export const languageModel = new MockLanguageModelV3({
  provider: 'openai',
  modelId: 'gpt-5',
  doGenerate: {
    content: [{ type: 'text', text: 'Yes.' }],
    finishReason: { unified: 'stop', raw: undefined },
    usage: {
      inputTokens: { total: 20, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 1, text: undefined, reasoning: undefined },
    },
    warnings: [],
  },
});

export const model = 'any';
/** Any: no model is asked. */
export const max_tokens = 1000;
export const system = 'You are a coding agent.';
export const tools = [];

/** A conversation in the form of OpenAI's API, and another in Anthropic's. */
export const chat = messagesOf<OpenAI.ChatCompletionMessageParam>('late-check.openai');
export const turns = messagesOf<Anthropic.MessageParam>('did-you-mean.anthropic');

/** The first in the form of Gemini's API. */
export const contents: Content[] = googleCodec.fromMessages(openaiCodec.toMessages(chat)).contents;

/** The same in the form of the AI SDK and of LangChain. */
export const modelMessages: ModelMessage[] = modelMessageCodec.fromMessages(openaiCodec.toMessages(chat));
export const chainMessages: BaseMessage[] = langchainCodec.fromMessages(openaiCodec.toMessages(chat));

/** A long one in the form of ctx. */
export const session: Message[] = [chat, chat, chat].flatMap((messages) => openaiCodec.toMessages(messages));

export const manager = new ContextManager();
for (const message of session) manager.append(message);
export const container = createContainer();
export const config = defineConfig({ contextWindow: 200_000 });

/** Drops the exchanges that a test picks, in their order. */
const dropping = (name: string, picks: (exchange: Exchange) => boolean) =>
  defineStrategy({
    name,
    emits: ['drop'],
    plan: (context) => ({
      edits: dropsInOrder(exchangesOf(context.view).filter(picks), context, { reason: 'picked' }),
    }),
  });
export const myStrategy = () => dropping('calls', ({ messages }) => messages.length > 1);
export const dropRemarks = dropping(
  'remarks',
  ({ messages: [first] }) => first?.message.role === 'assistant',
);
