import type { Codec, Message } from '@ctx/core';
import { type DecodeContext, type NativeViolation, ofMessages } from '@ctx/core/codec';
import { chat } from './chat-form.js';
import type { ChatMessage } from './chat-message.js';
import { toMessages } from './decode.js';
import { validate } from './validate.js';

/**
 * The codec of Chat Completions. It reads the messages of every version of the SDK, also with parts that are not listed here. The narrower
 * signatures come last, because a function that takes any codec learns from them what its conversation is.
 */
export interface ChatCodec extends Codec<ChatMessage[]> {
  /** @throws ValidationError `native-invalid` with the place that is not understood */
  toMessages(conversation: readonly object[], context?: DecodeContext): Message[];
  toMessages(conversation: ChatMessage[], context?: DecodeContext): Message[];
  validate(conversation: readonly object[]): NativeViolation[];
  validate(conversation: ChatMessage[]): NativeViolation[];
}

/** Messages of OpenAI's Chat Completions API. */
export const openaiCodec: ChatCodec = {
  name: chat.form.name,
  toMessages,
  fromMessages: (messages) => ofMessages(messages, () => chat.fromMessages(messages)),
  validate,
  losses: (messages) => ofMessages(messages, () => chat.losses(messages)),
};
