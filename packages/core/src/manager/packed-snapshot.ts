import { isFields } from '../base/native.js';
import { type Message, messageSchema } from '../transcript/message.js';
import { packedIds, unpackedIds } from './packed-ids.js';
import { packedMessages, unpackedMessages } from './packed-messages.js';
import { LineFinder, textOfShared } from './shared-lines.js';
import type { Snapshot } from './snapshot.js';

/** A shorter conversation is written plainly, apart from long texts that repeat it. */
const leastMessages = 30;

type Change = (text: unknown) => unknown;

/**
 * Packs a snapshot for JSON. Texts that edits put into the view become references to the message lines they repeat.
 * Native messages become references to the content of their message.
 */
export function packed(snapshot: Snapshot): unknown {
  const rest = packedRest(snapshot);
  return { ...snapshot, ...rest, ...(isPackedWhole(snapshot) && packedMessages(snapshot.messages)) };
}

/** The same without the messages, for those who have them elsewhere. Texts still refer to their lines. */
export function packedRest({ messages, ...snapshot }: Snapshot): object {
  const texts: string[] = [];
  withTexts(snapshot, (text) => {
    texts.push(String(text));
    return text;
  });
  const finder = new LineFinder(
    messages.map(({ message }) => message),
    texts,
  );
  const share = (text: unknown) => finder.shared(String(text));
  if (!isPackedWhole({ messages })) return withTexts(snapshot, share);
  return { ...withIds(withTexts(withoutNatives(snapshot, messages), share), packedIds), packed: 1 };
}

const isPackedWhole = ({ messages }: Pick<Snapshot, 'messages'>) => messages.length >= leastMessages;

/**
 * Reverses `packed`. Any other value is returned unchanged.
 * @param lost makes the error for a text that can't be restored
 */
export function unpacked(value: unknown, lost: (place: string) => Error): unknown {
  if (!isFields(value) || !Array.isArray(value.messages)) return value;
  const { packed: isPacked, forms, ...rest } = value;
  const whole = isPacked === 1 ? { ...rest, messages: unpackedMessages(value.messages, forms) } : value;
  const messages = whole.messages as readonly { readonly message?: unknown; readonly place?: object }[];
  const known = new Map<number, Message | undefined>();
  const texts: string[] = [];
  const messageAt = (index: number): Message | undefined => {
    const text = texts[-1 - index];
    if (text !== undefined) return { role: 'user', content: text };
    if (!known.has(index))
      known.set(index, messageSchema.safeParse(messages[index]?.message).data as Message);
    return known.get(index);
  };
  const spelledOut = withTexts(whole, (text) => {
    const said = isFields(text) ? textOfShared(text, messageAt) : text;
    if (said === undefined) throw lost('text');
    texts.push(String(said));
    return said;
  });
  if (isPacked !== 1) return spelledOut;
  // No record names more than were said.
  const gone = messages.findLast((one) => one?.place)?.place as { readonly index?: number } | undefined;
  const most = Math.min(messages.length + (gone?.index ?? 0), 1e7);
  return withIds(withNatives(spelledOut), (ids) => unpackedIds(ids, most));
}

/** Applies a change to every list of ids in each record and its edits. */
function withIds(snapshot: object, change: (ids: unknown) => unknown): object {
  const { records, older } = snapshot as Record<string, unknown>;
  const listed = (one: Record<string, unknown>, key: string) =>
    one[key] === undefined ? one : { ...one, [key]: change(one[key]) };
  const changed = (record: Record<string, unknown>) => ({
    ...listed(record, 'removed'),
    edits: each(record.edits, (edit) => listed(edit, 'messages')),
  });
  return {
    ...snapshot,
    records: each(records, changed),
    ...(older !== undefined && { older: each(older, changed) }),
  };
}

/** An edited message keeps the native message of the original, which the snapshot already has. */
function withoutNatives(snapshot: object, messages: Snapshot['messages']): object {
  const native = (index: unknown) => messages[index as number]?.message.native;
  return inEntries(snapshot, ({ message, ...entry }) => {
    if (!isFields(message) || message.native === undefined || message.native !== native(entry.index))
      return { ...entry, ...(message !== undefined && { message }) };
    const { native: _, ...rest } = message;
    return { ...entry, message: rest, sameNative: true };
  });
}

function withNatives(snapshot: object): object {
  const { messages } = snapshot as Record<string, unknown>;
  const all: readonly unknown[] = Array.isArray(messages) ? messages : [];
  return inEntries(snapshot, (entry) => {
    if (entry.sameNative !== true || !isFields(entry.message)) return entry;
    const { sameNative: _, ...rest } = entry;
    const said = all[entry.index as number];
    const native = isFields(said) && isFields(said.message) ? said.message.native : undefined;
    return { ...rest, message: { ...entry.message, native } };
  });
}

/** Applies a change to every entry in the views of the groups. */
function inEntries(
  snapshot: object,
  change: (entry: Record<string, unknown>) => Record<string, unknown>,
): object {
  const { groups, shown } = snapshot as Record<string, unknown>;
  const changed = (one: Record<string, unknown>) => ({ ...one, view: each(one.view, change) });
  return {
    ...snapshot,
    groups: each(groups, changed),
    ...(shown !== undefined && { shown: each(shown, changed) }),
  };
}

/** Applies a change to the text of each edit, and to the texts of changed messages in groups. */
function withTexts(snapshot: object, change: Change): object {
  const { records, older } = snapshot as Record<string, unknown>;
  const changed = {
    records: each(records, (record) => ({
      ...record,
      edits: each(record.edits, (edit) => withText(edit, change)),
    })),
    older: each(older, (record) => ({
      ...record,
      edits: each(record.edits, (edit) => withText(edit, change)),
    })),
  };
  return inEntries({ ...snapshot, ...changed }, (entry) => withText(entry, change));
}

function withText(one: Record<string, unknown>, change: Change): Record<string, unknown> {
  if ('text' in one) return { ...one, text: change(one.text) };
  const { message } = one;
  if (!isFields(message)) return one;
  if (!Array.isArray(message.content))
    return { ...one, message: { ...message, content: change(message.content) } };
  return {
    ...one,
    message: { ...message, content: each(message.content, (part) => withTextOfPart(part, change)) },
  };
}

function withTextOfPart(part: Record<string, unknown>, change: Change): Record<string, unknown> {
  const { type, text, output } = part;
  if (type === 'text') return { ...part, text: change(text) };
  if (type !== 'tool-result' || output === undefined) return part;
  const isText = typeof output === 'string' || (isFields(output) && 'lines' in output);
  return isText ? { ...part, output: change(output) } : part;
}

function each(value: unknown, change: (one: Record<string, unknown>) => unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((one) => (isFields(one) ? change(one as Record<string, unknown>) : one));
}
