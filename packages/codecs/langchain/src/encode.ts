import { isErrorResult, type Message, type Part, partsOf, type ToolResultPart } from '@ctx/core';
import { equal, type Fields, isFields, sourcesOf } from '@ctx/core/codec';
import type { BaseMessage } from '@langchain/core/messages';
import { calledIn } from './calls.js';
import { listOf, roleOf, typeOf } from './native-message.js';
import { changedCopy, newMessage, newToolMessage, revived } from './new-message.js';
import { json, placed } from './part-to-block.js';
import { type Calls, type Slot, slotsOf } from './slots.js';

/** Native messages: the very same objects if nothing was edited, otherwise copies in which only the edited parts are replaced. */
export function fromMessages(messages: readonly Message[]): BaseMessage[] {
  return messages.flatMap((message) => {
    const native = originOf(message);
    if (message.role === 'tool') return message.content.map((part) => resultMessage(part, native));
    return native === undefined ? built(message) : [edited(message, native)];
  }) as BaseMessage[];
}

/** The native message that a message came from; undefined if another codec made it or the role has changed since. */
export function originOf({ native, role }: Message): Fields | undefined {
  if (!isFields(native) || native.codec !== 'langchain') return undefined;
  const message = isFields(native.stored) ? revived(native.stored) : native.message;
  return roleOf(message, 'native.message') === role ? (message as Fields) : undefined;
}

function resultMessage(part: ToolResultPart, native: Fields | undefined): unknown {
  const status = isErrorResult(part) ? { status: 'error' } : {};
  if (native === undefined || !isAnswer(native, part)) {
    const content = placed(part, 'tool', undefined)?.native;
    return newToolMessage({ tool_call_id: part.toolCallId, name: part.toolName, content, ...status });
  }
  const { of } = placedParts([part], 'tool', native);
  const [one] = of;
  if (one?.native === one?.slot?.native) return native;
  const wasError = native.status === 'error';
  const changes = isErrorResult(part) === wasError ? {} : { status: wasError ? 'success' : 'error' };
  return changedCopy(native, { content: one?.native, ...changes });
}

/** True if a tool message came from this result. */
export function isAnswer(native: Fields, { toolCallId }: ToolResultPart): boolean {
  return typeOf(native) === 'function' || native.tool_call_id === toolCallId;
}

/** Each part with the slot that it comes from, and its native form; undefined where there is none. */
export function placedParts(parts: readonly Part[], role: Message['role'], native: Fields | undefined) {
  const slots = native === undefined ? [] : slotsOf(native, callsOf(parts), 'native.message');
  const said = slots.filter(({ part }) => part !== undefined);
  const sources = sourcesOf(
    parts,
    said.map(({ part }) => part as Part),
  );
  const of = parts.map((part, index) => {
    const source = sources[index];
    const slot = source === undefined ? undefined : said[source];
    const same = slot !== undefined && equal(slot.part, part);
    const { field, native: value } = (same ? slot : placed(part, role, slot)) ?? {};
    return { part, slot, field, native: value };
  });
  return { slots, of };
}

type PlacedPart = ReturnType<typeof placedParts>['of'][number];

/** What the parts themselves say of calls, so that their native forms are read as they were before. */
function callsOf(parts: readonly Part[]): Calls {
  const called = parts.filter((part) => part.type === 'tool-call' || part.type === 'tool-result');
  const find = (id: string) => called.find(({ toolCallId }) => toolCallId === id);
  return { nameOf: (id) => find(id)?.toolName, isAnswered: (id) => find(id) !== undefined };
}

/** Reads the native message again and compares. A message may come from a snapshot, in which no object is the same. */
function edited(message: Message, native: Fields): Fields {
  const { slots, of } = placedParts(partsOf(message), message.role, native);
  const said = slots.filter(({ part }) => part !== undefined);
  if (of.length === said.length && of.every((one, index) => one.native === said[index]?.native))
    return native;
  const changes: Record<string, unknown> = {};
  const content = joined(native.content, contentOf(slots, of));
  if (!equal(content, native.content)) changes.content = content;
  for (const field of ['tool_calls', 'invalid_tool_calls'] as const) {
    const before = listOf(native, field);
    const after = of.flatMap((one) => (one.field === field ? [one.native] : []));
    if (after.length !== before.length || after.some((call, index) => call !== before[index]))
      changes[field] = after;
  }
  const more = moreOf(native, of, changes.tool_calls !== undefined);
  if (more !== native.additional_kwargs) changes.additional_kwargs = more;
  // A piece of a streamed answer would read its calls from these again.
  if (changes.tool_calls !== undefined && Array.isArray(native.tool_call_chunks))
    changes.tool_call_chunks = [];
  return changedCopy(native, changes);
}

function contentOf(slots: readonly Slot[], of: readonly PlacedPart[]): unknown[] {
  const blocks = slots
    .filter(({ field }) => field === 'content')
    .flatMap((slot) => {
      if (slot.part === undefined) return mirrored(slot.native as Fields, of);
      return of.flatMap((one) => (one.slot === slot && one.field === 'content' ? [one.native] : []));
    });
  const added = of.flatMap((one) => (one.slot === undefined && one.field === 'content' ? [one.native] : []));
  return [...blocks, ...added];
}

/** The block that says a call once more, as the call is now; nothing where the call has left. */
function mirrored(block: Fields, of: readonly PlacedPart[]): unknown[] {
  const called = calledIn(block);
  const one = of.find(({ part }) => part.type === 'tool-call' && part.toolCallId === called?.id);
  if (called === undefined || one?.part.type !== 'tool-call') return [];
  if (one.native === one.slot?.native) return [block];
  return [{ ...block, name: one.part.toolName, [called.field]: one.part.input }];
}

/** What the provider sent, in which the calls stand once more: some of LangChain's providers read them there. */
function moreOf(native: Fields, of: readonly PlacedPart[], isCallChanged: boolean): unknown {
  const more = native.additional_kwargs;
  if (!isFields(more)) return more;
  let result = more;
  if (isCallChanged && Array.isArray(more.tool_calls)) {
    const calls = more.tool_calls.flatMap((raw: unknown) => (isFields(raw) ? rawCall(raw, of) : [raw]));
    const { tool_calls: _calls, ...others } = more;
    result = calls.length === 0 ? others : { ...more, tool_calls: calls };
  }
  const old = of.find(({ slot }) => slot?.field === 'function_call');
  if (
    isFields(more.function_call) &&
    old?.native !== more.function_call &&
    listOf(native, 'tool_calls').length === 0
  ) {
    const { function_call: _call, ...others } = result;
    result = old === undefined ? others : { ...result, function_call: old.native };
  }
  return result;
}

function rawCall(raw: Fields, of: readonly PlacedPart[]): unknown[] {
  const one = of.find(({ part }) => part.type === 'tool-call' && part.toolCallId === raw.id);
  if (one?.part.type !== 'tool-call') return [];
  if (one.native === one.slot?.native) return [raw];
  const called = isFields(raw.function) ? raw.function : {};
  return [{ ...raw, function: { ...called, name: one.part.toolName, arguments: json(one.part.input) } }];
}

/** Content in its old form: a text if it was one and is still a single text. */
function joined(before: unknown, values: readonly unknown[]): unknown {
  const [only] = values;
  if (values.length === 0) return Array.isArray(before) ? [] : '';
  if (values.length === 1 && !isFields(only)) return only;
  return values.map((value) => (typeof value === 'string' ? { type: 'text', text: value } : value));
}

function built(message: Exclude<Message, { role: 'tool' }>): BaseMessage[] {
  const { of } = placedParts(partsOf(message), message.role, undefined);
  const at = (field: Slot['field']) => of.flatMap((one) => (one.field === field ? [one.native] : []));
  const [content, calls] = [at('content'), at('tool_calls')];
  if (content.length === 0 && calls.length === 0) return [];
  return [newMessage(message.role, joined('', content), calls)];
}
