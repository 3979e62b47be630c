import type { Message } from '@ctx/core';
import { fieldsOf, isFields, nativeInvalid, type Slot } from '@ctx/core/codec';
import type { GoogleContent } from './content.js';
import { partOf } from './native-to-part.js';
import type { Origin } from './origin.js';
import { listOf, systemParts } from './system.js';

/** @throws ValidationError if the value is no content of a known role */
export function roleOf(value: unknown, place: string): 'user' | 'assistant' {
  const { role } = fieldsOf(value, place, 'A content is an object { role, parts }.');
  if (role === 'model') return 'assistant';
  if (role === undefined || role === 'user' || role === 'function') return 'user';
  throw nativeInvalid(
    'The role is not known',
    `${place}.role`,
    role,
    'Use user or model; function for responses.',
  );
}

/** What the parts of an origin say. Where all are empty texts, they are opaque; so is an origin without any part. */
export function slotsOf(origin: Origin, role: Message['role'], place: string): Slot[] {
  const natives = partsIn(origin, place);
  const slots = (origin.parts ?? [...natives.keys()]).map((index) => {
    const part = partOf(natives[index], role, origin.ids?.[index] ?? '', partPlace(origin, place, index));
    return { native: natives[index], part };
  });
  if (slots.length === 0) return [{ native: undefined, part: { type: 'opaque', value: nothingIn(origin) } }];
  const isSilent = slots.every(({ part }) => part.type === 'text' && part.text === '');
  return isSilent ? slots.map(({ native }) => ({ native, part: { type: 'opaque', value: native } })) : slots;
}

function nothingIn({ message }: Origin): unknown {
  return isFields(message) ? ((message as GoogleContent).parts ?? null) : message;
}

function partPlace({ message, system }: Origin, place: string, index: number): string {
  if (system !== true) return `${place}.parts[${index}]`;
  if (Array.isArray(message)) return `${place}[${index}]`;
  return isFields(message) && 'parts' in message ? `${place}.parts[${index}]` : place;
}

/** The parts of a content or of a system instruction. */
export function partsIn(
  { message, system }: Pick<Origin, 'message' | 'system'>,
  place: string,
): readonly unknown[] {
  if (system === true) return systemParts(message, place);
  const native = fieldsOf(message, place, 'A content is an object { role, parts }.');
  return listOf(native, place);
}
