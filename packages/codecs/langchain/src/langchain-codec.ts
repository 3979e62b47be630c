import type { Codec } from '@ctx/core';
import { ofMessages } from '@ctx/core/codec';
import type { BaseMessage } from '@langchain/core/messages';
import { toMessages } from './decode.js';
import { langchain } from './langchain-form.js';
import { validate } from './validate.js';

/** Messages of LangChain (`@langchain/core` 1.x). */
export const langchainCodec: Codec<BaseMessage[]> = {
  name: langchain.form.name,
  toMessages,
  fromMessages: (messages) =>
    ofMessages(messages, () => langchain.fromMessages(messages) as readonly object[] as BaseMessage[]),
  validate,
  losses: (messages) => ofMessages(messages, () => langchain.losses(messages)),
};
