import type { Fields, NativeViolation } from '@ctx/core/codec';
import type { AnyMessage } from './native-message.js';

export type Finding = Omit<NativeViolation, 'rule'>;
export type Rule = (request: Request) => Finding[];

/** A block and the position of its message; -1 for the system prompt. */
export interface Located {
  readonly index: number;
  readonly block: Fields;
}

/** A well-formed request, in the form for rules. */
export interface Request {
  readonly system: readonly Located[];
  readonly messages: readonly AnyMessage[];
  /** The blocks of each message; a string is one text block, an empty one none. */
  readonly blocks: readonly (readonly Located[])[];
  readonly turns: readonly Turn[];
}

/** The assistant's blocks before the next user message, which answers them. The API joins messages of one role. */
export interface Turn {
  readonly blocks: readonly Located[];
  /** Position of the message after the turn. */
  readonly next: number;
}
