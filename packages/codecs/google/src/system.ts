import { type Fields, isFields, nativeInvalid } from '@ctx/core/codec';
import type { SystemInstruction } from './content.js';

/** The parts of a system instruction in any of its forms. A part may be a string. */
export function systemParts(system: unknown, place: string): readonly unknown[] {
  if (typeof system === 'string') return [system];
  if (Array.isArray(system)) return system;
  if (!isFields(system)) {
    const remedy = 'A system instruction is a string, a part, a list of parts or a content { parts }.';
    throw nativeInvalid('The system instruction is neither text nor parts', place, system, remedy);
  }
  return isContent(system) ? listOf(system, place) : [system];
}

/** The parts of a content; none if it has none. */
export function listOf({ parts }: Fields, place: string): readonly unknown[] {
  if (parts === undefined || parts === null) return [];
  if (Array.isArray(parts)) return parts;
  throw nativeInvalid('A list was expected', `${place}.parts`, parts, 'Give a list of parts.');
}

/** A system instruction of these parts, in the form of the old one if that can hold them. */
export function systemOf(parts: readonly unknown[], old?: unknown): SystemInstruction {
  if (Array.isArray(old)) return [...parts] as SystemInstruction;
  const wrapped = parts.map((part) => (typeof part === 'string' ? { text: part } : part));
  if (isFields(old) && isContent(old)) return { ...old, parts: wrapped } as SystemInstruction;
  return (parts.length === 1 && old !== undefined ? parts[0] : { parts: wrapped }) as SystemInstruction;
}

function isContent(system: Fields): boolean {
  return 'parts' in system || 'role' in system;
}
