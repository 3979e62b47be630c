import type { Codec, Message } from '@ctx/core';
import { type DecodeContext, type NativeViolation, ofMessages } from '@ctx/core/codec';
import type { GoogleContent, GoogleConversation, GoogleRequest } from './content.js';
import { toMessages } from './decode.js';
import { fromMessages } from './encode.js';
import { google } from './google-form.js';
import { validate } from './validate.js';

/** A codec that also reads whole requests, and bare lists of contents. */
export interface GoogleCodec extends Codec<GoogleConversation> {
  /** @throws ValidationError `native-invalid` or `value-no-json` with the place that is not understood */
  toMessages(conversation: GoogleRequest | readonly GoogleContent[], context?: DecodeContext): Message[];
  /** Which rules of the API a conversation breaks; with its `model` also those of that model. Needs no manager. */
  validate(conversation: GoogleRequest | readonly GoogleContent[]): NativeViolation[];
}

/** The system instruction and contents of Gemini's API. */
export const googleCodec: GoogleCodec = {
  name: google.form.name,
  toMessages,
  fromMessages: (messages) => ofMessages(messages, () => fromMessages(messages)),
  validate,
  losses: (messages) => ofMessages(messages, () => google.losses(messages)),
};
