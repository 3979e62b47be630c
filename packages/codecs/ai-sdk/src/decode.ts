import { type Message, toolCallsOf, withoutBytes, writtenAsJson } from '@ctx/core';
import { type DecodeContext, type Fields, fieldsOf, isFields, nativeInvalid } from '@ctx/core/codec';
import { answersTo, askedBefore, askedBy } from './approvals.js';
import { carriedBy } from './carried.js';
import { opaque, partAt } from './content-part.js';
import type { Form } from './form.js';
import { type Calls, partOf } from './part-of.js';
import type { Origin, Slot } from './slot.js';

/** @throws ValidationError `native-invalid` with the place that is not understood */
export function toMessages(
  form: Form,
  conversation: readonly unknown[],
  { after = [] }: DecodeContext = {},
): Message[] {
  if (!Array.isArray(conversation)) {
    throw nativeInvalid(
      'A list was expected',
      'messages',
      conversation,
      'Give the `messages` or the `prompt` of a call.',
    );
  }
  const names = new Map(after.flatMap(toolCallsOf).map((call) => [call.toolCallId, call.toolName]));
  const nameOf = (id: string) => names.get(id);
  const messages: Message[] = [];
  let calls: Calls = { nameOf, ...answersTo(askedBefore(after), runFrom(conversation, 0), false) };
  let before: unknown[] = [];
  conversation.forEach((native: unknown, index) => {
    const place = `messages[${index}]`;
    const role = roleOf(native, place);
    if (role !== 'tool') {
      const run = runFrom(conversation, index + 1);
      const isOpen = index + 1 + run.length === conversation.length;
      calls = { nameOf, ...answersTo(askedBy(native), run, isOpen) };
    }
    const slots = slotsOf(native, calls, place);
    if (slots.every(({ part }) => part === undefined)) {
      before.push(native);
      return;
    }
    const message = messageOf(form, native as Fields, slots, before);
    for (const { toolCallId, toolName } of toolCallsOf(message)) names.set(toolCallId, toolName);
    messages.push(message);
    before = [];
  });
  if (before.length > 0) keepBehind(messages, before);
  return messages;
}

/** JSON has no URL objects: what is read from it again is not what came in, and is marked as such. */
function kept(origin: Origin): Origin {
  const { message, ...others } = origin;
  return writtenAsJson(origin, () => withoutBytes({ ...others, stored: message }));
}

/** The tool messages from a position on. */
function runFrom(conversation: readonly unknown[], start: number): readonly unknown[] {
  const end = conversation.findIndex(
    (message, index) => index >= start && !(isFields(message) && message.role === 'tool'),
  );
  return conversation.slice(start, end < 0 ? undefined : end);
}

function messageOf(form: Form, native: Fields, slots: readonly Slot[], before: readonly unknown[]): Message {
  const parts = slots.flatMap(({ part }) => (part === undefined ? [] : [part]));
  const [only] = slots;
  const isText = slots.length === 1 && only?.part?.type === 'text' && only.native === only.part.text;
  const carries = [...before.flatMap(carriedWhole), ...carriedBy(native, slots)];
  const origin: Origin = {
    codec: form.name,
    message: native,
    ...(before.length > 0 && { before }),
    ...(carries.length > 0 && { carries }),
  };
  return {
    role: native.role,
    content: isText ? only.native : parts,
    native: kept(origin),
  } as Message;
}

/** The places of what a message says that says nothing of its own. */
function carriedWhole(message: unknown, index: number): string[] {
  const content = isFields(message) && Array.isArray(message.content) ? message.content : [];
  return content.map((_, position) => `native.before[${index}].content[${position}]`);
}

function keepBehind(messages: Message[], behind: readonly unknown[]): void {
  const last = messages.at(-1);
  if (last === undefined) {
    throw nativeInvalid(
      'The tool messages hold no result',
      'messages[0].content',
      withoutBytes((behind[0] as Fields).content),
      'Leave them out, or read them together with the call that they answer.',
    );
  }
  const origin = last.native as Origin;
  const carries = [
    ...(origin.carries ?? []),
    ...behind.flatMap(carriedWhole).map((place) => place.replace('before', 'behind')),
  ];
  const native: Origin = { ...origin, behind, ...(carries.length > 0 && { carries }) };
  messages[messages.length - 1] = { ...last, native: kept(native) };
}

export function roleOf(native: unknown, place: string): Message['role'] {
  const { role } = fieldsOf(native, place, 'A message is an object { role, content }.');
  switch (role) {
    case 'system':
    case 'user':
    case 'assistant':
    case 'tool':
      return role;
    default:
      throw nativeInvalid(
        'The role is not known',
        `${place}.role`,
        role,
        'Use system, user, assistant or tool.',
      );
  }
}

/** The parts of a native message. One that says nothing has one opaque part, but a tool message has none then. */
export function slotsOf(native: unknown, calls: Calls, place: string): Slot[] {
  const role = roleOf(native, place);
  const { content } = native as Fields;
  if (typeof content === 'string' && content !== '' && role !== 'tool')
    return [{ native: content, part: { type: 'text', text: content } }];
  const slots = listAt(content, role, place).map((item, index): Slot => {
    const at = `${place}.content[${index}]`;
    return { native: item, part: partOf(partAt(item, at), role, calls, at) };
  });
  const isSilent = slots.every(({ part }) => part?.type === 'text' && part.text === '');
  return isSilent && role !== 'tool' ? [{ native: content, part: opaque(content ?? null) }] : slots;
}

function listAt(content: unknown, role: string, place: string): readonly unknown[] {
  if (Array.isArray(content) && role !== 'system') return content;
  if (content === '' && role !== 'tool') return [];
  const remedy = { system: 'Content is a string.', tool: 'Content is a list of results.' }[role];
  throw nativeInvalid(
    'The content has another form',
    `${place}.content`,
    content,
    remedy ?? 'Content is a string or a list of parts.',
  );
}
