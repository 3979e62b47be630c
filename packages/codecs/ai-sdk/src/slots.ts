import type { Message, Part } from '@ctx/core';
import { CallNames, type Fields, fieldsOf, isFields, nativeInvalid, type Slot } from '@ctx/core/codec';
import { opaque, partAt } from './content-part.js';
import { type Calls, partOf } from './part-of.js';

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

/**
 * The parts of a native message. An empty one has one opaque part, but a tool message has none then. An approval that its result
 * makes superfluous has no part.
 */
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

/** What the parts themselves say of calls and approvals, so that their native forms are read as they were before. */
export function callsIn(parts: readonly Part[]): Calls {
  const { nameOf } = CallNames.in(parts);
  const results = parts.filter((part) => part.type === 'tool-result');
  return {
    nameOf,
    isAnswered: (id) => nameOf(id) !== undefined,
    approvedBy: (approvalId) => results.find((part) => approvalIn(part) === approvalId)?.toolCallId,
  };
}

function approvalIn({ output }: Extract<Part, { type: 'tool-result' }>): unknown {
  const [first] = typeof output !== 'string' && output.type === 'content' ? output.value : [];
  return first?.type === 'opaque' && isFields(first.value) ? first.value.approvalId : undefined;
}
