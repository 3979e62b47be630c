import type { Message } from './message.js';

/** One of a provider's own rules that a native conversation breaks. */
export interface NativeViolation {
  /** Position of the native message. */
  readonly index: number;
  /** Stable name of the rule, kebab-case. */
  readonly rule: string;
  readonly detail: string;
}

/**
 * Translates between a provider's native conversation and messages. It never counts, decides or repairs.
 * `fromMessages(toMessages(native))` gives the same native message objects back; an edited message keeps every
 * native field that the edit did not name.
 */
export interface Codec<Conversation> {
  readonly name: string;
  /** @throws ValidationError `native-invalid` with the index and path of what is not understood */
  toMessages(conversation: Conversation): Message[];
  fromMessages(messages: readonly Message[]): Conversation;
  /** Which of the provider's rules a conversation breaks. Needs no manager. */
  validate(conversation: Conversation): NativeViolation[];
}
