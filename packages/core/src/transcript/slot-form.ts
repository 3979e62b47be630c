import type { Fields } from '../base/native.js';
import type { NativeLoss } from './codec.js';
import type { Message, Part, ToolOutput } from './message.js';

/** A value in a native message, such as a text, a block or a call. */
interface Spot {
  /** Undefined in a message that holds nothing. */
  readonly native: unknown;
  /** The field that holds it, in a form with several. */
  readonly field?: string;
}

/** A value in a native message, and what it says. */
export interface Slot extends Spot {
  /** Undefined for what says nothing of its own, such as a call that stands there once more. */
  readonly part: Part | undefined;
}

/** A part on its way out. */
export interface Placed<S extends Slot = Slot> {
  readonly part: Part;
  /** Where it was before it was edited; undefined for a new part. */
  readonly slot: S | undefined;
  /** Where it is now: the very slot if it says the same; undefined if the form has no place for it. */
  readonly spot: Spot | undefined;
}

/** The native message that a message came from. */
export interface Before<S extends Slot, Native> {
  readonly native: Native;
  /** The slots that the message came from. */
  readonly slots: readonly S[];
  /** Positions of these slots in the native message, if other messages came from the others. */
  readonly pieces?: readonly number[] | undefined;
  /** How many slots the native message has, if other messages came from the others. */
  readonly whole?: number | undefined;
}

/** What becomes one native message. */
export interface Draft<S extends Slot, Native, B extends Before<S, Native> = Before<S, Native>> {
  /** The message, or the first of those that share a native one. */
  readonly message: Message;
  readonly before: B | undefined;
  readonly placed: readonly Placed<S>[];
  /** Those of them for which the form has a place. Pieces of one native message are in the order that they had there. */
  readonly kept: readonly Placed<S>[];
  /** True if nobody edited anything. */
  readonly isSame: boolean;
}

/** Something that is left out of a part, and where in the part it stands. */
export type Lost = Pick<NativeLoss, 'place' | 'what'>;

type OutputPart = Extract<ToolOutput, { readonly type: 'content' }>['value'][number];

/** What makes a provider's form what it is. */
export interface SlotForm<S extends Slot, Native, B extends Before<S, Native>> {
  /** The name of the codec. */
  readonly name: string;
  /**
   * How results become native messages: each by itself, or all that follow each other in one.
   * @default those of a message in one
   */
  readonly results?: 'apart' | 'together';
  /**
   * Reads the native message again that a message came from. After a snapshot was restored it is a copy.
   * @param origin what `native` of the message holds
   * @returns undefined if the message can't be its edited form, as its role has changed
   */
  readAgain(message: Message, origin: Fields): B | undefined;
  /** The native value of a part that is new or says something else than its slot; undefined if the form has none. */
  nativeOf(part: Part, role: Message['role'], slot: S | undefined): Spot | undefined;
  /** The native message, with all fields of the old one; undefined if it would say nothing. */
  written(draft: Draft<S, Native, B>): Native | undefined;
  /** What the native value of a part, or of an item in the list of an output, leaves out. */
  lostIn?(part: Part, native: unknown, role: Message['role']): readonly Lost[];
  /** What a native value says, if a media type, a file name or encrypted text may be lost in it. */
  readBack?(native: unknown, role: Message['role']): Part | undefined;
  /** The native value of each item in the list of an output; undefined for one that the form has none for. */
  itemsOf?(items: readonly OutputPart[], slot: S | undefined): readonly unknown[];
  /** True for a message that the form has only at the beginning. */
  isFirst?(message: Message): boolean;
  /** What JSON writes for what `native` of a message holds, if that is no plain JSON. */
  stored?(origin: Fields): unknown;
}
