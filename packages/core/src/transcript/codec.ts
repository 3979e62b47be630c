import { CtxError, ValidationError } from '../base/errors.js';
import type { Message } from './message.js';
import { parseMessage } from './parse-message.js';

/** A rule of the provider that a native conversation breaks. */
export interface NativeViolation {
  /** Position of the native message. */
  readonly index: number;
  /** Stable name of the rule, in kebab-case. */
  readonly rule: string;
  readonly detail: string;
}

/** Earlier requests. Without them, rules that compare with an earlier request report nothing. */
export interface NativeHistory<Conversation> {
  /**
   * The earlier requests of the same conversation, oldest first.
   * @default none
   */
  readonly before?: readonly Conversation[];
}

/** Something in a message that the provider's form cannot express. */
export interface NativeLoss {
  /** Position of the message. */
  readonly index: number;
  /** Where in the message, such as `content[1]`. For a field that belongs to no part, where in the native message. */
  readonly place: string;
  /** The type of the part or the name of the native field. */
  readonly what: string;
}

/** What a codec may know in addition to the native messages it reads. */
export interface DecodeContext {
  /**
   * The messages before the first native one. A tool result that is read by itself takes the name of its call from
   * them.
   * @default none
   */
  readonly after?: readonly Message[];
}

/**
 * Translates between a provider's native conversation and core's messages. It never counts, decides or repairs.
 * `fromMessages(toMessages(native))` returns the same native message objects. An edited message keeps every native
 * field that the edit did not name.
 */
export interface Codec<Conversation> {
  readonly name: string;
  /** @throws ValidationError `native-invalid` with the index and path of what the codec does not understand */
  toMessages(conversation: Conversation, context?: DecodeContext): Message[];
  fromMessages(messages: readonly Message[]): Conversation;
  /**
   * Puts what belongs to a place of the history, such as a cache breakpoint, where it does the same in a conversation in which some of its
   * messages are no longer there.
   */
  settle?(conversation: Conversation, history: Conversation): Conversation;
  /** The provider's rules that a conversation breaks. Needs no manager. */
  validate(conversation: Conversation, history?: NativeHistory<Conversation>): NativeViolation[];
  /** What `fromMessages` leaves out because the provider's form cannot express it. Empty if nothing is lost. */
  losses(messages: readonly Message[]): NativeLoss[];
}

/**
 * What a codec makes of messages. They are looked at only if it fails, so that the error says which of them is none.
 * @throws ValidationError `message-invalid` and what else `append` throws
 */
export function ofMessages<Result>(messages: readonly Message[], task: () => Result): Result {
  try {
    return task();
  } catch (error) {
    if (CtxError.isInstance(error)) throw error;
    if (!Array.isArray(messages)) {
      throw new ValidationError({
        code: 'message-invalid',
        problem: 'A list of messages was expected',
        place: 'messages',
        value: messages,
        remedy: 'Give what manager.view() or toMessages returns.',
        cause: error,
      });
    }
    for (const [index, message] of messages.entries()) parseMessage(message, index);
    throw error;
  }
}
