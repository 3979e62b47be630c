import { isErrorResult, type Message, partsOf, withoutBytes } from '@ctx/core';
import { type Draft, equal, type Fields, isFields, isMadeUpId, SlotCodec } from '@ctx/core/codec';
import { itemOf, partOf } from './block-to-part.js';
import { calledIn } from './calls.js';
import { type Named, named, ownSlots } from './named-calls.js';
import { dataOf, listOf, roleOf, typeOf } from './native-message.js';
import { changedCopy, newMessage, newToolMessage, revived } from './new-message.js';
import { json, nativeOf, outputBlocks } from './part-to-block.js';
import { callsIn, type LangChainSlot, slotsOf } from './slots.js';

/** What the messages of LangChain are like. */
export const langchain: SlotCodec<LangChainSlot, Fields> = new SlotCodec({
  name: 'langchain',
  results: 'apart',
  readAgain: (message, { message: own, stored, ids }) => {
    const native = (isFields(stored) ? revived(stored) : own) as Fields;
    const one = named(native, () => ids as Named['ids']);
    if (roleOf(native, 'native.message') !== message.role || !isAnswer(one.message as Fields, message))
      return undefined;
    const slots = slotsOf(one.message, callsIn(partsOf(message)), 'native.message');
    return { native, slots: ownSlots(slots, one, native) };
  },
  nativeOf,
  written: (draft) => {
    const { message } = draft;
    if (message.role === 'tool') return resultMessage(message, draft);
    if (draft.before !== undefined) return edited(draft.before, draft.placed);
    return built(message.role, draft.placed);
  },
  readBack: (native, role) => {
    if (!isFields(native)) return undefined;
    return role === 'tool' ? itemOf(native, 'content') : partOf(native, role, 'content');
  },
  itemsOf: (items, slot) => outputBlocks(items, slot?.native),
  // JSON keeps the fields of the message in place of the object.
  stored: (origin) => ({
    ...origin,
    message: undefined,
    stored: withoutBytes(dataOf(origin.message as Fields)),
  }),
});

/** False for a tool message with another result's id. */
function isAnswer(native: Fields, { role, content: [part] }: Message): boolean {
  if (role !== 'tool' || typeof part !== 'object' || part.type !== 'tool-result') return true;
  return typeOf(native) === 'function' || native.tool_call_id === part.toolCallId;
}

type LangChainDraft = Draft<LangChainSlot, Fields>;
type Before = NonNullable<LangChainDraft['before']>;
type PlacedPart = LangChainDraft['placed'][number];

function resultMessage(
  { content: [part] }: Extract<Message, { role: 'tool' }>,
  { before, placed }: LangChainDraft,
): Fields | undefined {
  if (part === undefined) return undefined;
  const content = placed[0]?.spot?.native;
  const isError = isErrorResult(part);
  if (before === undefined) {
    const fields = { tool_call_id: part.toolCallId, name: part.toolName, content };
    return newToolMessage({ ...fields, ...(isError && { status: 'error' }) }) as object as Fields;
  }
  const wasError = before.native.status === 'error';
  const changes = isError === wasError ? {} : { status: wasError ? 'success' : 'error' };
  return changedCopy(before.native, { content, ...changes });
}

function edited({ native, slots }: Before, placed: readonly PlacedPart[]): Fields {
  const changes: Record<string, unknown> = {};
  const content = joined(native.content, contentOf(slots, placed));
  if (!equal(content, native.content)) changes.content = content;
  for (const field of ['tool_calls', 'invalid_tool_calls'] as const) {
    const before = listOf(native, field);
    const after = valuesAt(field, placed);
    if (after.length !== before.length || after.some((call, index) => call !== before[index]))
      changes[field] = after;
  }
  const more = moreOf({ native, slots }, placed, changes.tool_calls !== undefined);
  if (more !== native.additional_kwargs) changes.additional_kwargs = more;
  // A piece of a streamed answer would read its calls from these again.
  if (changes.tool_calls !== undefined && Array.isArray(native.tool_call_chunks))
    changes.tool_call_chunks = [];
  return changedCopy(native, changes);
}

function valuesAt(field: LangChainSlot['field'], placed: readonly PlacedPart[]): unknown[] {
  return placed.flatMap(({ spot }) => (spot?.field === field ? [spot.native] : []));
}

function contentOf(slots: readonly LangChainSlot[], placed: readonly PlacedPart[]): unknown[] {
  const at = (slot: LangChainSlot | undefined) =>
    valuesAt(
      'content',
      placed.filter((one) => one.slot === slot),
    );
  const blocks = slots
    .filter(({ field }) => field === 'content')
    .flatMap((slot) => (slot.part === undefined ? mirrored(slot, placed) : at(slot)));
  return [...blocks, ...at(undefined)];
}

/** The call with an id as it is now, and whether nobody edited it. */
function callNow(id: unknown, placed: readonly PlacedPart[]) {
  for (const { part, slot, spot } of placed)
    if (part.type === 'tool-call' && part.toolCallId === id)
      return { part, isSame: spot?.native === slot?.native };
  return undefined;
}

/** A cache point, or the block that repeats a call, updated; nothing if the call was removed. */
function mirrored({ native, repeats }: LangChainSlot, placed: readonly PlacedPart[]): unknown[] {
  const block = native as Fields;
  if (repeats === undefined) return [block];
  const called = calledIn(block);
  const now = callNow(repeats, placed);
  if (called === undefined || now === undefined) return [];
  if (now.isSame) return [block];
  const id = isMadeUpId(now.part.toolCallId) ? called.id : now.part.toolCallId;
  return [{ ...block, id, name: now.part.toolName, [called.field]: now.part.input }];
}

/** The provider's raw fields, which repeat the calls: some of LangChain's providers read them there. */
function moreOf({ native, slots }: Before, placed: readonly PlacedPart[], isCallChanged: boolean): unknown {
  const more = native.additional_kwargs;
  if (!isFields(more)) return more;
  let result = more;
  if (isCallChanged && Array.isArray(more.tool_calls)) {
    // Calls without ids are repeated in the same order.
    const read = slots.filter(({ field }) => field === 'tool_calls');
    const calls = more.tool_calls.flatMap((raw: unknown, at) => {
      if (!isFields(raw)) return [raw];
      const same = read[at];
      const isSame = same?.part?.type === 'tool-call' && (same.native as Fields).id === raw.id;
      return rawCall(raw, isSame ? same.part.toolCallId : raw.id, placed);
    });
    const { tool_calls: _calls, ...others } = more;
    result = calls.length === 0 ? others : { ...more, tool_calls: calls };
  }
  const old = placed.find(({ slot }) => slot?.field === 'function_call');
  if (
    isFields(more.function_call) &&
    old?.spot?.native !== more.function_call &&
    listOf(native, 'tool_calls').length === 0
  ) {
    const { function_call: _call, ...others } = result;
    result = old === undefined ? others : { ...result, function_call: old.spot?.native };
  }
  return result;
}

function rawCall(raw: Fields, id: unknown, placed: readonly PlacedPart[]): unknown[] {
  const now = callNow(id, placed);
  if (now === undefined) return [];
  if (now.isSame) return [raw];
  const called = isFields(raw.function) ? raw.function : {};
  return [{ ...raw, function: { ...called, name: now.part.toolName, arguments: json(now.part.input) } }];
}

/** Content in its old form: a text if it was one and is still a single text. */
function joined(before: unknown, values: readonly unknown[]): unknown {
  const [only] = values;
  if (values.length === 0) return Array.isArray(before) ? [] : '';
  if (values.length === 1 && !isFields(only)) return only;
  return values.map((value) => (typeof value === 'string' ? { type: 'text', text: value } : value));
}

function built(role: Exclude<Message['role'], 'tool'>, placed: readonly PlacedPart[]): Fields | undefined {
  const [content, calls] = [valuesAt('content', placed), valuesAt('tool_calls', placed)];
  if (content.length === 0 && calls.length === 0) return undefined;
  return newMessage(role, joined('', content), calls) as object as Fields;
}
