import { isFields } from '../base/native.js';
import { type Message, messageSchema } from '../transcript/message.js';
import { LineFinder, textOfShared } from './shared-lines.js';
import type { Snapshot } from './snapshot.js';

type Change = (text: unknown) => unknown;

/** The snapshot for JSON: texts that edits put into the view refer to the lines of messages that they repeat. */
export function packed(snapshot: Snapshot): unknown {
  const texts: string[] = [];
  withTexts(snapshot, (text) => {
    texts.push(String(text));
    return text;
  });
  const finder = new LineFinder(
    snapshot.messages.map(({ message }) => message),
    texts,
  );
  return withTexts(snapshot, (text) => finder.shared(String(text)));
}

/** What was packed, with its texts again; `lost` where one can't be had. Anything else comes back as it is. */
export function unpacked(value: unknown, lost: (place: string) => Error): unknown {
  if (!isFields(value) || !Array.isArray(value.messages)) return value;
  const messages: readonly { readonly message?: unknown }[] = value.messages;
  const known = new Map<number, Message | undefined>();
  const texts: string[] = [];
  const messageAt = (index: number): Message | undefined => {
    const text = texts[-1 - index];
    if (text !== undefined) return { role: 'user', content: text };
    if (!known.has(index))
      known.set(index, messageSchema.safeParse(messages[index]?.message).data as Message);
    return known.get(index);
  };
  return withTexts(value, (text) => {
    const whole = isFields(text) ? textOfShared(text, messageAt) : text;
    if (whole === undefined) throw lost('text');
    texts.push(String(whole));
    return whole;
  });
}

/** The same with another text in each edit and in each merged message of a group. */
function withTexts(snapshot: object, change: Change): unknown {
  const { records, older, groups } = snapshot as Record<string, unknown>;
  const changed = {
    records: each(records, (record) => ({
      ...record,
      edits: each(record.edits, (edit) => withText(edit, change)),
    })),
    older: each(older, (record) => ({
      ...record,
      edits: each(record.edits, (edit) => withText(edit, change)),
    })),
    groups: each(groups, (group) => ({
      ...group,
      view: each(group.view, (entry) => withText(entry, change)),
    })),
  };
  return { ...snapshot, ...changed };
}

function withText(one: Record<string, unknown>, change: Change): Record<string, unknown> {
  return 'text' in one ? { ...one, text: change(one.text) } : one;
}

function each(value: unknown, change: (one: Record<string, unknown>) => unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((one) => (isFields(one) ? change(one as Record<string, unknown>) : one));
}
