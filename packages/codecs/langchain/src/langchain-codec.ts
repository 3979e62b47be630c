import type { Codec } from '@ctx/core';
import type { BaseMessage } from '@langchain/core/messages';
import { toMessages } from './decode.js';
import { fromMessages } from './encode.js';
import { losses } from './losses.js';
import { validate } from './validate.js';

/** Messages of LangChain (`@langchain/core` 1.x). */
export const langchainCodec: Codec<BaseMessage[]> = {
  name: 'langchain',
  toMessages,
  fromMessages,
  validate,
  losses,
};
