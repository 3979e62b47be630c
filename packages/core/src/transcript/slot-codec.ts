import { writtenAsJson } from '../base/bytes.js';
import { equal } from '../base/equal.js';
import { type Fields, isFields } from '../base/native.js';
import type { NativeLoss } from './codec.js';
import { itemsOf, type Message, type Part, partsOf } from './message.js';
import type { Before, Draft, Lost, Placed, Slot, SlotForm } from './slot-form.js';

interface Read<B> {
  readonly message: Message;
  /** Undefined if another codec made it. */
  readonly before: B | undefined;
}

/** What a part may say besides what it is made of. */
const extras = ['mediaType', 'filename', 'encrypted'];

/** Writes messages in a provider's form: the very native objects where nothing was edited, otherwise copies with the edited parts in their slots. */
export class SlotCodec<S extends Slot, Native, B extends Before<S, Native> = Before<S, Native>> {
  constructor(readonly form: SlotForm<S, Native, B>) {}

  /**
   * The message that slots say. The only text of a content that is a text becomes the content.
   * @param origin what is needed to write it again: `message`, the native object, and what the form adds
   * @param rest further fields of the message
   */
  message(
    role: Message['role'],
    slots: readonly Slot[],
    origin: { readonly message: unknown },
    rest: Partial<Message> = {},
  ): Message {
    const [only] = slots;
    const isText = slots.length === 1 && only?.part?.type === 'text' && only.native === only.part.text;
    const content = isText ? only.native : slots.map(({ part }) => part).filter((part) => part !== undefined);
    const native = this.origin(origin);
    return { role, content, ...rest, native } as Message;
  }

  origin(fields: Fields): Fields {
    const origin = { codec: this.form.name, ...fields };
    const { stored } = this.form;
    return stored === undefined ? origin : writtenAsJson(origin, () => stored(origin));
  }

  fromMessages(messages: readonly Message[]): Native[] {
    return this.drafts(messages).flatMap((draft) => this.nativeOf(draft) ?? []);
  }

  nativeOf(draft: Draft<S, Native, B>): Native | undefined {
    return draft.isSame ? draft.before?.native : this.form.written(draft);
  }

  /** Lists what `fromMessages` leaves out: parts, and what their native values have no field for. Fields that no part holds are not listed. */
  losses(messages: readonly Message[]): NativeLoss[] {
    const start = messages.findIndex(({ role }) => role !== 'system');
    return messages.flatMap((message, index) => {
      const isMoved = start >= 0 && index > start && this.form.isFirst?.(message) === true;
      return [
        ...this.#lostParts(message).map((lost) => ({ index, ...lost })),
        ...(isMoved ? [{ index, place: 'content', what: 'position' }] : []),
      ];
    });
  }

  #lostParts(message: Message): Lost[] {
    const placed = this.#apart(message).flatMap((one) => this.draft(one).placed);
    return placed.flatMap(({ part, slot, spot }, position) => {
      const place = typeof message.content === 'string' ? 'content' : `content[${position}]`;
      if (spot === slot && spot !== undefined) return [];
      return this.#lostOf(part, spot?.native, place, message.role, slot);
    });
  }

  #lostOf(part: Part, native: unknown, place: string, role: Message['role'], slot?: S): Lost[] {
    if (native === undefined) return [{ place, what: part.type }];
    const lost = this.form.lostIn?.(part, native, role) ?? [];
    const own = lost.map((one) => ({ place: `${place}.${one.place}`, what: one.what }));
    if (part.type !== 'tool-result') return [...own, ...this.#lostFields(part, native, place, role)];
    const items = itemsOf(part);
    if (items.length === 0) return own;
    const natives = this.form.itemsOf?.(items, slot) ?? [];
    return [
      ...own,
      ...items.flatMap((item, index) =>
        this.#lostOf(item, natives[index], `${place}.output.value[${index}]`, role),
      ),
    ];
  }

  #lostFields(part: Part, native: unknown, place: string, role: Message['role']): Lost[] {
    if (this.form.readBack === undefined || part.type === 'tool-call') return [];
    const [said, kept] = [part, this.form.readBack(native, role)] as Partial<Record<string, unknown>>[];
    return extras
      .filter((what) => said?.[what] !== undefined && said[what] !== kept?.[what])
      .map((what) => ({ place: `${place}.${what}`, what }));
  }

  drafts(messages: readonly Message[]): Draft<S, Native, B>[] {
    const reads = messages.flatMap((message) => this.#apart(message).map((one) => this.#read(one)));
    const groups: Read<B>[][] = [];
    for (const read of reads) {
      const group = groups.at(-1);
      if (this.form.results === 'together' && group !== undefined && joins(read, group)) group.push(read);
      else groups.push([read]);
    }
    return groups.map((group) => this.#draft(group));
  }

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
    const [first] = reads as readonly [Read<B>];
    const isSingle = reads.length === 1;
    const before = isSingle ? first.before : reads.find((read) => read.before !== undefined)?.before;
    const placed = isSingle ? this.#placed(first) : reads.flatMap((read) => this.#placed(read));
    const found = placed.filter(({ spot }) => spot?.native !== undefined);
    const kept = isSingle ? found : inOldOrder(found, reads);
    // A native object may say all that a part says that has another form.
    const isUnchanged = kept.every(
      ({ spot, slot }) => spot === slot || (isFields(spot?.native) && spot.native === slot?.native),
    );
    const isSame = before !== undefined && isUnchanged && isWhole(kept.length, before, reads);
    return { message: first.message, before, placed, kept, isSame };
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

/** False if something that a native message says has left. */
function isWhole<B extends Before<Slot, unknown>>(
  kept: number,
  { whole }: B,
  reads: readonly Read<B>[],
): boolean {
  let [slots, said] = [0, 0];
  for (const { before } of reads)
    for (const { part, native } of before?.slots ?? []) {
      slots += 1;
      if (part !== undefined && native !== undefined) said += 1;
    }
  return said === kept && (whole === undefined || whole === slots);
}

/** Messages of one native message may have had their slots in turns; with parts that are new, the order of the messages counts. */
function inOldOrder<S extends Slot>(
  kept: Placed<S>[],
  reads: readonly Read<Before<S, unknown>>[],
): Placed<S>[] {
  if (kept.some(({ slot }) => slot === undefined)) return kept;
  const positions = new Map<Slot | undefined, number>(
    reads.flatMap(({ before }) =>
      (before?.slots ?? []).map((slot, index) => [slot, before?.pieces?.[index] ?? index] as const),
    ),
  );
  return kept.sort((a, b) => Number(positions.get(a.slot)) - Number(positions.get(b.slot)));
}

/**
 * True if messages belong into one native message: those that came from the same one, and consecutive results, for an API that wants
 * all results in one message. After a snapshot was restored the native message is no longer the same object, so it is compared by value.
 */
function joins<B extends Before<Slot, unknown>>(
  { message, before }: Read<B>,
  group: readonly Read<B>[],
): boolean {
  if (group.at(-1)?.message.role !== 'tool') return false;
  const others = group.map((one) => one.before).filter((other) => other !== undefined);
  if (before === undefined || others.length === 0) return message.role === 'tool';
  const { pieces, native } = before;
  return others.every(
    (other) =>
      pieces !== undefined &&
      other.pieces !== undefined &&
      !pieces.some((index) => other.pieces?.includes(index)) &&
      equal(native, other.native),
  );
}

/**
 * For each part, its position before the edit; undefined for a new part. Parts keep their order. If some are gone, each
 * part is matched with an equal one, otherwise with one of the same kind. The search runs from the end, because
 * reasoning is removed from the front.
 */
export function sourcesOf(parts: readonly Part[], before: readonly Part[]): (number | undefined)[] {
  if (parts.length === before.length) return parts.map((_, position) => position);
  const sources: (number | undefined)[] = parts.map(() => undefined);
  let end = before.length;
  for (let position = parts.length - 1; position >= 0; position -= 1) {
    const part = parts[position] as Part;
    const earlier = before.slice(0, end);
    const same = earlier.findLastIndex((old) => equal(old, part));
    const found = same >= 0 ? same : earlier.findLastIndex((old) => isKin(old, part));
    if (found < 0) continue;
    sources[position] = found;
    end = found;
  }
  return sources;
}

/** An edited part keeps its type and its call; an image or file may have become text. */
function isKin(old: Part, part: Part): boolean {
  if ((old.type === 'tool-call' || old.type === 'tool-result') && old.type === part.type)
    return old.toolCallId === part.toolCallId;
  return old.type === part.type || (part.type === 'text' && (old.type === 'image' || old.type === 'file'));
}
