import { writtenAsJson } from '../base/bytes.js';
import { equal } from '../base/equal.js';
import { type Fields, isFields } from '../base/native.js';
import { carriedLosses } from './carried-losses.js';
import type { NativeLoss } from './codec.js';
import type { Lost } from './lost-items.js';
import { type Message, type Part, partsOf } from './message.js';
import { sourcesOf } from './source-parts.js';

/** A value in a native message, such as a text, a block or a call. */
export interface Spot {
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

interface Read<B> {
  readonly message: Message;
  readonly before: B | undefined;
}

/** What becomes one native message. */
export interface Draft<S extends Slot, Native, B extends Before<S, Native> = Before<S, Native>> {
  /** One message, or those that share a native one. */
  readonly messages: readonly Message[];
  readonly before: B | undefined;
  readonly placed: readonly Placed<S>[];
  /** True if nobody edited anything. */
  readonly isSame: boolean;
}

/** What makes a provider's form what it is. */
interface SlotForm<S extends Slot, Native, B extends Before<S, Native>> {
  /** The name of the codec. */
  readonly name: string;
  /**
   * `apart` if each result is a native message by itself.
   * @default those of a message are in one
   */
  readonly results?: 'apart';
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
  /** What the native value of a new or edited part leaves out. */
  lostIn?(placed: Placed<S>, role: Message['role']): readonly Lost[];
  /** True for a message that the form has only at the beginning. */
  isFirst?(message: Message): boolean;
  /** What JSON writes for what `native` of a message holds, if that is no plain JSON. */
  stored?(origin: Fields): unknown;
}

/** Writes messages in a provider's form: the very native objects where nothing was edited, otherwise copies with the edited parts in their slots. */
export class SlotCodec<S extends Slot, Native, B extends Before<S, Native> = Before<S, Native>> {
  constructor(readonly form: SlotForm<S, Native, B>) {}

  /**
   * The message that slots say. The only text of a content that is a text becomes the content.
   * @param origin what is needed to write it again: `message`, the native object, and what the form adds
   * @param carries places of what no part says
   * @param rest further fields of the message
   */
  message(
    role: Message['role'],
    slots: readonly Slot[],
    origin: { readonly message: unknown },
    carries: readonly string[],
    rest: Partial<Message> = {},
  ): Message {
    const parts = slots.flatMap(({ part }) => (part === undefined ? [] : [part]));
    const [only] = slots;
    const isText = slots.length === 1 && only?.part?.type === 'text' && only.native === only.part.text;
    return {
      role,
      content: isText ? only.native : parts,
      ...rest,
      native: this.origin({ ...origin, ...(carries.length > 0 && { carries }) }),
    } as Message;
  }

  /** What `native` of a message holds. */
  origin(fields: Fields): Fields {
    const origin = { codec: this.form.name, ...fields };
    const { stored } = this.form;
    return stored === undefined ? origin : writtenAsJson(origin, () => stored(origin));
  }

  fromMessages(messages: readonly Message[]): Native[] {
    return this.drafts(messages).flatMap((draft) => this.nativeOf(draft) ?? []);
  }

  /** The native message of a draft; undefined if it says nothing in this form. */
  nativeOf(draft: Draft<S, Native, B>): Native | undefined {
    return draft.isSame ? draft.before?.native : this.form.written(draft);
  }

  /** Lists what `fromMessages` leaves out: parts, what their native values have no field for, and fields of another provider's form. */
  losses(messages: readonly Message[]): NativeLoss[] {
    const start = messages.findIndex(({ role }) => role !== 'system');
    return messages.flatMap((message, index) => {
      const isMoved = start >= 0 && index > start && this.form.isFirst?.(message) === true;
      return [
        ...this.#lostParts(message).map((lost) => ({ index, ...lost })),
        ...(isMoved ? [{ index, place: 'content', what: 'position' }] : []),
        ...carriedLosses(message, index, this.form.name),
      ];
    });
  }

  #lostParts(message: Message): Lost[] {
    const placed = this.#apart(message).flatMap((one) => this.draft(one).placed);
    return placed.flatMap((one, position): Lost[] => {
      const place = typeof message.content === 'string' ? 'content' : `content[${position}]`;
      if (one.spot === undefined) return [{ place, what: one.part.type }];
      if (one.spot === one.slot) return [];
      const lost = this.form.lostIn?.(one, message.role) ?? [];
      return lost.map((inner) => ({ place: `${place}.${inner.place}`, what: inner.what }));
    });
  }

  /** Divides messages into what becomes one native message each. */
  drafts(messages: readonly Message[]): Draft<S, Native, B>[] {
    const reads = messages.flatMap((message) => this.#apart(message).map((one) => this.#read(one)));
    return reads.map((read) => this.#draft([read]));
  }

  /** A draft of a single message. */
  draft(message: Message): Draft<S, Native, B> {
    return this.#draft([this.#read(message)]);
  }

  #apart(message: Message): readonly Message[] {
    if (this.form.results !== 'apart' || message.role !== 'tool') return [message];
    return message.content.map((part) => ({ ...message, content: [part] }));
  }

  #read(message: Message): Read<B> {
    const { native } = message;
    const isOwn = isFields(native) && native.codec === this.form.name;
    return { message, before: isOwn ? this.form.readAgain(message, native) : undefined };
  }

  #draft(reads: readonly Read<B>[]): Draft<S, Native, B> {
    const before = reads.find((read) => read.before !== undefined)?.before;
    const placed = reads.flatMap((read) => this.#placed(read));
    const slots = reads.flatMap((read) => read.before?.slots ?? []);
    const kept = placed.filter(({ spot }) => spot !== undefined);
    const isSame =
      before !== undefined &&
      (before.whole === undefined || before.whole === slots.length) &&
      kept.length === slots.filter(({ part }) => part !== undefined).length &&
      kept.every(
        ({ spot, slot }) => spot === slot || (isFields(spot?.native) && spot.native === slot?.native),
      );
    return { messages: reads.map(({ message }) => message), before, placed, isSame };
  }

  /** Compares with what stood there, so that a part counts as edited only if it says something else. */
  #placed({ message, before }: Read<B>): Placed<S>[] {
    const parts = partsOf(message);
    const said = (before?.slots ?? []).filter(({ part }) => part !== undefined);
    const sources = sourcesOf(
      parts,
      said.map(({ part }) => part as Part),
    );
    return parts.map((part, position) => {
      const slot = said[sources[position] ?? -1];
      const isSame = slot !== undefined && equal(slot.part, part);
      return { part, slot, spot: isSame ? slot : this.form.nativeOf(part, message.role, slot) };
    });
  }
}
