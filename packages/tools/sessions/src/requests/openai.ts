import { type ChatMessage, openaiCodec } from '@ctx/codec-openai';
import { conversationReader } from './conversations.js';

const toMessages = (natives: unknown[]) => openaiCodec.toMessages(natives as ChatMessage[]);

/** Conversations in OpenAI's Chat Completions format. A `system` next to the messages becomes the first of them. */
export const readOpenai = conversationReader({
  format: 'openai',
  toMessages,
  systemMessages: (system) => toMessages([{ role: 'system', content: system }]),
});
