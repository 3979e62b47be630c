import type { Message } from './message.js';

/** One of a provider's own rules that a native conversation breaks. */
export interface NativeViolation {
  /** Position of the native message. */
  readonly index: number;
  /** Stable name of the rule, kebab-case. */
  readonly rule: string;
  readonly detail: string;
}

/** What was sent before; a rule that compares with it is silent without it. */
export interface NativeHistory<Conversation> {
  /** The earlier requests of the same conversation, oldest first. */
  readonly before?: readonly Conversation[];
}

/** Something a message says that the provider's form has no place for. */
export interface NativeLoss {
  /** Position of the message. */
  readonly index: number;
  /** Where in the message, such as `content[1]`; of a field that no part says, where in its native message. */
  readonly place: string;
  /** The type of the part, or the name of the native field. */
  readonly what: string;
}

/** What a codec may know besides the native messages that it reads. */
export interface DecodeContext {
  /** The messages before the first one. A tool result that is read by itself takes the name of its call from them. @default none */
  readonly after?: readonly Message[];
}

/**
 * Translates between a provider's native conversation and messages. It never counts, decides or repairs.
 * `fromMessages(toMessages(native))` gives the same native message objects back; an edited message keeps every
 * native field that the edit did not name.
 */
export interface Codec<Conversation> {
  readonly name: string;
  /** @throws ValidationError `native-invalid` with the index and path of what is not understood */
  toMessages(conversation: Conversation, context?: DecodeContext): Message[];
  fromMessages(messages: readonly Message[]): Conversation;
  /**
   * Puts what belongs to a place of the history, such as a cache breakpoint, where it does the same in a conversation in which some of its
   * messages are no longer there.
   */
  settle?(conversation: Conversation, history: Conversation): Conversation;
  /** Which of the provider's rules a conversation breaks. Needs no manager. */
  validate(conversation: Conversation, history?: NativeHistory<Conversation>): NativeViolation[];
  /** What `fromMessages` leaves out, because the provider's form has no place for it. Empty: nothing is lost. */
  losses(messages: readonly Message[]): NativeLoss[];
}
