import type { Part } from '@ctx/core';
import { type Fields, nameAt, refuseTooDeep } from '@ctx/core/codec';

/** The old form of a call has no id. Its result comes right after it, so all of them may share one id. */
export const functionCallId = 'function_call';

/** A call repeated in a provider's block: its id and its arguments. */
export function calledIn(
  block: Fields,
): { readonly id: string; readonly field: 'input' | 'args' } | undefined {
  if (typeof block.id !== 'string') return undefined;
  if (block.type === 'tool_use') return { id: block.id, field: 'input' };
  return block.type === 'tool_call' ? { id: block.id, field: 'args' } : undefined;
}

/** A call of `tool_calls`, or of a block. */
export function callPart(call: Fields, field: 'input' | 'args', place: string): Part {
  const remedy = 'A tool call is { id, name, args }.';
  const input = call[field];
  refuseTooDeep(input, `${place}.${field}`);
  return {
    type: 'tool-call',
    toolCallId: nameAt(call, 'id', place, remedy),
    toolName: nameAt(call, 'name', place, remedy),
    input: input ?? {},
  };
}
