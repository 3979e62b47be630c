import type { Part } from '@ctx/core';
import type { Fields } from '@ctx/core/codec';

/** A part of a native message, and what it says; nothing for an approval that its result makes superfluous. */
export interface Slot {
  readonly native: unknown;
  readonly part: Part | undefined;
}

/** What a message keeps of its native form. */
export interface Origin {
  readonly codec: string;
  readonly message: Fields;
  /** Messages that say nothing themselves: they are sent before it, or at the end of a conversation behind it. */
  readonly before?: readonly unknown[];
  readonly behind?: readonly unknown[];
  readonly carries?: readonly string[];
}
