import type { Part } from '@ctx/core';
import { CallNames, type Fields, fieldsOf, jsonOrText, nameAt, type Slot, stringAt } from '@ctx/core/codec';
import { blockAt, blocksAt, isCachePoint, opaque, outputOf, partOf } from './block-to-part.js';
import { calledIn, callPart, functionCallId } from './calls.js';
import { functionCallIn, listOf, roleOf, typeOf } from './native-message.js';

/** A part, the field of the native message that it comes from, and the value there; no part for a block that repeats a call, and for a cache point. */
export interface LangChainSlot extends Slot {
  readonly field: 'content' | 'tool_calls' | 'invalid_tool_calls' | 'function_call';
  /** The id of the call that a block repeats. */
  readonly repeats?: string | undefined;
}

/** What a message does not say itself of the calls in it. */
export interface Calls {
  nameOf(toolCallId: string): string | undefined;
  /** True for a call that LangChain could not read and that a tool message answers all the same. */
  isAnswered(toolCallId: string): boolean;
}

/** What the parts themselves say of calls, so that their native forms are read as they were before. */
export function callsIn(parts: readonly Part[]): Calls {
  const { nameOf } = CallNames.in(parts);
  return { nameOf, isAnswered: (id) => nameOf(id) !== undefined };
}

/** The parts of a native message: content first, then calls. An empty message has one opaque part. */
export function slotsOf(value: unknown, calls: Calls, place: string): LangChainSlot[] {
  const role = roleOf(value, place);
  const native = value as Fields;
  if (role === 'tool')
    return [{ part: resultPart(native, calls, place), field: 'content', native: native.content }];
  const slots = contentSlots(native, role, place);
  if (role === 'assistant') slots.push(...callSlots(native, calls, place));
  const isSilent = slots.every(({ part }) => part?.type === 'text' && part.text === '');
  const content = native.content ?? null;
  return isSilent ? [{ part: opaque(content), field: 'content', native: content }] : slots;
}

function contentSlots(native: Fields, role: string, place: string): LangChainSlot[] {
  const { content } = native;
  if (content === '' || content === null || content === undefined) return [];
  if (typeof content === 'string')
    return [{ part: { type: 'text', text: content }, field: 'content', native: content }];
  const known = new Set(listOf(native, 'tool_calls').map((call) => (call as Fields | null)?.id));
  return blocksAt(content, place).map((item, index): LangChainSlot => {
    if (isCachePoint(item)) return { part: undefined, field: 'content', native: item };
    const at = `${place}.content[${index}]`;
    const block = blockAt(item, at);
    const called = role === 'assistant' ? calledIn(block) : undefined;
    if (called === undefined) return { part: partOf(block, role, at), field: 'content', native: item };
    return known.has(called.id)
      ? { part: undefined, repeats: called.id, field: 'content', native: item }
      : { part: callPart(block, called.field, at), field: 'content', native: item };
  });
}

function callSlots(native: Fields, calls: Calls, place: string): LangChainSlot[] {
  const slots = listOf(native, 'tool_calls').map((value, index): LangChainSlot => {
    const at = `${place}.tool_calls[${index}]`;
    const call = fieldsOf(value, at, 'A tool call is { id, name, args }.');
    return { part: callPart(call, 'args', at), field: 'tool_calls', native: value };
  });
  const invalid = listOf(native, 'invalid_tool_calls').map((value): LangChainSlot => {
    const part = invalidPart(value, calls);
    return { part, field: 'invalid_tool_calls', native: value };
  });
  const old = functionCallIn(native);
  if (old === undefined) return [...slots, ...invalid];
  const at = `${place}.additional_kwargs.function_call`;
  const toolName = nameAt(old, 'name', at, 'A call names its function.');
  const input = jsonOrText(stringAt(old, 'arguments', at, 'Arguments are a string of JSON.'));
  const part: Part = { type: 'tool-call', toolCallId: functionCallId, toolName, input };
  return [...slots, ...invalid, { part, field: 'function_call', native: old }];
}

/** A call whose arguments are no JSON. Nobody answers it, unless a tool message does. */
function invalidPart(value: unknown, calls: Calls): Part {
  const call = fieldsOf(value, 'invalid_tool_calls', 'An invalid call is { id, name, args, error }.');
  const { id, name, args } = call;
  if (typeof id !== 'string' || typeof name !== 'string' || id === '' || name === '' || !calls.isAnswered(id))
    return opaque(value);
  return {
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: typeof args === 'string' ? jsonOrText(args) : (args ?? {}),
  };
}

function resultPart(native: Fields, calls: Calls, place: string): Part {
  const isOld = typeOf(native) === 'function';
  const remedy = 'A tool message names the call that it answers in tool_call_id.';
  const toolCallId = isOld ? functionCallId : nameAt(native, 'tool_call_id', place, remedy);
  const name = typeof native.name === 'string' && native.name !== '' ? native.name : 'unknown';
  return {
    type: 'tool-result',
    toolCallId,
    toolName: calls.nameOf(toolCallId) ?? name,
    output: outputOf(native.content, place),
    ...(native.status === 'error' && { isError: true }),
  };
}
