import type { Codec, Message } from '@ctx/core';
import { type DecodeContext, type NativeHistory, type NativeViolation, ofMessages } from '@ctx/core/codec';
import { toMessages } from './decode.js';
import { fromMessages, losses } from './encode.js';
import type { ResponseInputItem } from './items.js';
import { responses } from './responses-form.js';
import { validateInput } from './validate.js';

/**
 * The codec of the Responses API. It reads every form of `input`, also items of types that are not listed here. The narrower signatures
 * come last, because a function that takes any codec learns from them what its conversation is.
 */
export interface ResponsesCodec extends Codec<ResponseInputItem[]> {
  /** @throws ValidationError `native-invalid` with the place that is not understood */
  toMessages(input: string | readonly object[], context?: DecodeContext): Message[];
  toMessages(input: ResponseInputItem[], context?: DecodeContext): Message[];
  validate(
    input: string | readonly object[],
    history?: NativeHistory<string | readonly object[]>,
  ): NativeViolation[];
  validate(input: ResponseInputItem[], history?: NativeHistory<ResponseInputItem[]>): NativeViolation[];
}

/** The `input` of OpenAI's Responses API: a text, or a list of items. */
export const responsesCodec: ResponsesCodec = {
  name: responses.form.name,
  toMessages,
  fromMessages: (messages) => ofMessages(messages, () => fromMessages(messages)),
  validate: validateInput,
  losses: (messages) => ofMessages(messages, () => losses(messages)),
};
