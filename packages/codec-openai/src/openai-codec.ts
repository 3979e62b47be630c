import type { Codec } from '@ctx/core';
import type { ChatMessage } from './chat-message.js';
import { toMessages } from './decode.js';
import { fromMessages } from './encode.js';
import { losses } from './losses.js';
import { validate } from './validate.js';

/** Messages of OpenAI's Chat Completions API. */
export const openaiCodec: Codec<ChatMessage[]> = {
  name: 'openai',
  toMessages,
  fromMessages,
  validate,
  losses,
};
