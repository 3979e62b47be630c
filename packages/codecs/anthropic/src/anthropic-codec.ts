import type { Codec, Message } from '@ctx/core';
import { type DecodeContext, type NativeHistory, type NativeViolation, ofMessages } from '@ctx/core/codec';
import { anthropic } from './anthropic-form.js';
import { withBreakpoints } from './cache-breakpoints.js';
import { toMessages } from './decode.js';
import { fromMessages } from './encode.js';
import type { AnthropicConversation, AnthropicRequest, AnyMessage } from './native-message.js';
import { validate } from './validate.js';

/** A codec that also reads whole requests and bare lists of messages, with any block that the API knows. */
export interface AnthropicCodec extends Codec<AnthropicConversation> {
  /** @throws ValidationError `native-invalid` or `value-no-json` with the place that is not understood */
  toMessages(conversation: AnthropicRequest | readonly AnyMessage[], context?: DecodeContext): Message[];
  /** Which rules of the API a conversation breaks. Needs no manager. */
  validate(
    conversation: AnthropicRequest | readonly AnyMessage[],
    history?: NativeHistory<AnthropicRequest>,
  ): NativeViolation[];
}

/** The system prompt and messages of Anthropic's Messages API. */
export const anthropicCodec: AnthropicCodec = {
  name: anthropic.form.name,
  toMessages,
  fromMessages: (messages) => ofMessages(messages, () => fromMessages(messages)),
  settle: withBreakpoints,
  validate,
  losses: (messages) => ofMessages(messages, () => anthropic.losses(messages)),
};
