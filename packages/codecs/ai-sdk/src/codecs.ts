import type { Message } from '@ctx/core';
import { type DecodeContext, type NativeLoss, type NativeViolation, ofMessages } from '@ctx/core/codec';
import { toMessages } from './decode.js';
import { type Form, messageForm, type PromptVersion, promptForm } from './form.js';
import type { AnyModelMessage, AnyPromptMessage } from './model-message.js';
import { sdkForm } from './sdk-form.js';
import { validate } from './validate.js';

/**
 * A `Codec` for the messages of every version of the AI SDK: what comes back has the type of the version that you use, because an untouched
 * message is the object that went in, and an edited one has its form.
 */
export interface AiSdkCodec<Native> {
  readonly name: string;
  /** @throws ValidationError `native-invalid` with the index and path of what is not understood, `value-no-json` where an input is nested too deep */
  toMessages(conversation: readonly Native[], context?: DecodeContext): Message[];
  fromMessages<Own extends Native = Native>(messages: readonly Message[]): Own[];
  /** Which of the SDK's rules a conversation breaks. Needs no manager. */
  validate(conversation: readonly Native[]): NativeViolation[];
  /** What `fromMessages` drops, because the SDK has no form for it. Empty: nothing is lost. */
  losses(messages: readonly Message[]): NativeLoss[];
}

function codecOf<Native>(form: Form): AiSdkCodec<Native> {
  const sdk = sdkForm(form);
  return {
    name: form.name,
    toMessages: (conversation, context) => toMessages(sdk, conversation, context),
    fromMessages: <Own extends Native>(messages: readonly Message[]) =>
      ofMessages(messages, () =>
        sdk.drafts(messages).flatMap((draft) => {
          const { before = [], behind = [] } = draft.before ?? {};
          return [...before, ...[sdk.nativeOf(draft) ?? []].flat(), ...behind];
        }),
      ) as Own[],
    validate: (conversation) => validate(form, conversation),
    losses: (messages) => ofMessages(messages, () => sdk.losses(messages)),
  };
}

/** `ModelMessage`s: what `generateText`, `streamText`, agents and `prepareStep` take. */
export const modelMessageCodec: AiSdkCodec<AnyModelMessage> = codecOf(messageForm);

/**
 * The prompt that middleware sees, of one version of the interface. The versions only differ in the form of images and files that another
 * codec brings; a prompt keeps its form.
 * @param version `specificationVersion` of the model
 */
export function promptCodecFor(version: PromptVersion): AiSdkCodec<AnyPromptMessage> {
  return codecOf(promptForm(version));
}

/** The prompt that middleware sees, in the form of `LanguageModelV3Prompt`. For other versions see `promptCodecFor`. */
export const promptCodec: AiSdkCodec<AnyPromptMessage> = promptCodecFor('v3');
