import { type Message, type Part, partsOf } from '@ctx/core';
import { equal, type Fields, isFields, sourcesOf } from '@ctx/core/codec';
import { roleOf, slotsOf } from './decode.js';
import type { Form } from './form.js';
import { nativePart } from './native-part.js';
import type { Calls } from './part-of.js';
import { revived } from './revival.js';
import type { Origin, Slot } from './slot.js';

/** Native messages: the very same objects if nothing was edited, otherwise copies in which only the edited parts are replaced. */
export function fromMessages(form: Form, messages: readonly Message[]): unknown[] {
  return messages.flatMap((message) => {
    const origin = originOf(form, message);
    if (origin === undefined) return built(form, message);
    const { before = [], behind = [] } = origin;
    return [...before, edited(form, message, origin.message), ...behind];
  });
}

/** What a message keeps of its native form; undefined if another codec made it or the role has changed since. */
export function originOf(form: Form, { native, role }: Message): Origin | undefined {
  if (!isFields(native) || native.codec !== form.name) return undefined;
  const message = isFields(native.stored) ? revived(form, native.stored) : native.message;
  if (roleOf(message, 'native.message') !== role) return undefined;
  return { ...(native as unknown as Origin), message: message as Fields };
}

/** Reads the native message again and compares. A message may come from a snapshot, in which no object is the same. */
function edited(form: Form, message: Message, native: Fields): unknown {
  const placed = placedParts(form, message, native);
  const before = placed.slots.filter(({ part }) => part !== undefined);
  const isSame =
    placed.of.length === before.length &&
    placed.of.every((one, index) => one.native === before[index]?.native);
  if (isSame) return native;
  const content = placed.slots.flatMap((slot) => {
    if (slot.part === undefined) return [slot.native];
    return placed.of.flatMap((one) => (one.slot === slot && one.native !== undefined ? [one.native] : []));
  });
  const added = placed.of.flatMap((one) =>
    one.slot === undefined && one.native !== undefined ? [one.native] : [],
  );
  return { ...native, content: joined(native.content, [...content, ...added]) };
}

/** Each part of a message with the slot that it comes from, and its native form; undefined where there is none. */
export function placedParts(form: Form, message: Message, native: Fields | undefined) {
  const parts = partsOf(message);
  const slots = native === undefined ? [] : slotsOf(native, callsOf(parts), 'native.message');
  const said = slots.filter(({ part }) => part !== undefined);
  const sources = sourcesOf(
    parts,
    said.map(({ part }) => part as Part),
  );
  const of = parts.map((part, index) => {
    const source = sources[index];
    const slot = source === undefined ? undefined : said[source];
    return { part, slot, native: place(form, part, message.role, slot) };
  });
  return { slots, of };
}

function place(form: Form, part: Part, role: Message['role'], slot: Slot | undefined): unknown {
  if (slot !== undefined && equal(slot.part, part)) return slot.native;
  return nativePart(form, part, role, slot);
}

/** What the parts themselves say of calls and approvals, so that their native forms are read as they were before. */
function callsOf(parts: readonly Part[]): Calls {
  const called = parts.filter((part) => part.type === 'tool-call' || part.type === 'tool-result');
  return {
    nameOf: (id) => called.find(({ toolCallId }) => toolCallId === id)?.toolName,
    isAnswered: (id) => called.some(({ toolCallId }) => toolCallId === id),
    approvedBy: (approvalId) =>
      called.find((part) => part.type === 'tool-result' && approvalIn(part) === approvalId)?.toolCallId,
  };
}

function approvalIn({ output }: Extract<Part, { type: 'tool-result' }>): unknown {
  const [first] = typeof output !== 'string' && output.type === 'content' ? output.value : [];
  return first?.type === 'opaque' && isFields(first.value) ? first.value.approvalId : undefined;
}

/** Content in its old form: a text if it was one and is still a single text. */
function joined(before: unknown, values: readonly unknown[]): unknown {
  const [only] = values;
  if (values.length === 1 && typeof only === 'string') return only;
  if (values.length === 1 && !Array.isArray(before) && isFields(only) && isPlainText(only)) return only.text;
  return values.map((value) => (typeof value === 'string' ? { type: 'text', text: value } : value));
}

function isPlainText(part: Fields): boolean {
  return part.type === 'text' && Object.keys(part).length === 2;
}

function built(form: Form, message: Message): unknown[] {
  const parts = placedParts(form, message, undefined).of.flatMap(({ native }) =>
    native === undefined ? [] : [native],
  );
  if (parts.length === 0) return [];
  if (message.role === 'system') return [{ role: 'system', content: textsOf(parts).join('\n') }];
  const isText = form.isTextContent && typeof message.content === 'string';
  return [{ role: message.role, content: isText ? textsOf(parts)[0] : parts }];
}

function textsOf(parts: readonly unknown[]): string[] {
  return parts.map((part) => (isFields(part) ? String(part.text) : String(part)));
}
