import { type CallIds, type Fields, isFields } from '@ctx/core/codec';
import { calledIn } from './calls.js';
import { listOf, typeOf } from './native-message.js';
import { changedCopy } from './new-message.js';
import type { LangChainSlot } from './slots.js';

/** A message in which each call and result has an id by which they find each other. */
export interface Named {
  /** The very message if its own ids will do. */
  readonly message: unknown;
  /** Those that its calls or its result got, in order. */
  readonly ids?: readonly string[] | undefined;
}

/** A call: an entry of `tool_calls`, a block of the content, or both if the block repeats the entry. */
interface Made {
  readonly id: unknown;
  readonly name: unknown;
  readonly blocks: number[];
}

/** @param idsFor gives the calls or the result of a message their ids, where its own won't do */
export function named(message: unknown, idsFor: CallIds['idsFor']): Named {
  if (!isFields(message)) return { message };
  if (typeOf(message) === 'tool') {
    const ids = idsFor('tool', [message.tool_call_id]);
    return ids === undefined ? { message } : { message: changedCopy(message, { tool_call_id: ids[0] }), ids };
  }
  const made = typeOf(message) === 'ai' ? madeIn(message) : [];
  const own = made.map(({ id }) => id);
  const ids = idsFor('assistant', own);
  const all = ids ?? own;
  const content = renamed(message.content, made, all);
  if (ids === undefined && content === message.content) return { message };
  const calls = listOf(message, 'tool_calls');
  const tool_calls = calls.map((call, at) => ({ ...(call as Fields), id: all.at(at - calls.length) }));
  return { message: changedCopy(message, { ...(calls.length > 0 && { tool_calls }), content }), ids };
}

/** The calls of a message, in the order of their parts. A block without an id repeats an entry with the same name, and so does one of an entry without. */
function madeIn(message: Fields): Made[] {
  const entries = listOf(message, 'tool_calls').map((call): Made => {
    const { id, name } = isFields(call) ? call : {};
    return { id, name, blocks: [] };
  });
  const alone: Made[] = [];
  const blocks = contentOf(message).flatMap((block, at) => {
    const id = isFields(block) ? calledIn(block)?.id : undefined;
    return id === undefined ? [] : [{ id, name: (block as Fields).name, at }];
  });
  const hasBlock = (id: unknown) => blocks.some((block) => block.id === id);
  for (const { id, name, at } of blocks) {
    const same = entries.filter((one) => one.id === id);
    const repeated =
      same.find((one) => one.blocks.length === 0) ??
      (id === '' ? undefined : same[0]) ??
      entries.find(
        (one) =>
          one.blocks.length === 0 && one.name === name && (one.id === '' || (id === '' && !hasBlock(one.id))),
      );
    if (repeated === undefined) alone.push({ id, name, blocks: [at] });
    else repeated.blocks.push(at);
  }
  return [...alone, ...entries];
}

/** The content with these ids in the blocks of calls; the very content if it has them. */
function renamed(content: unknown, made: readonly Made[], ids: readonly unknown[]): unknown {
  if (!Array.isArray(content)) return content;
  const idOf = new Map(made.flatMap(({ blocks }, at) => blocks.map((block) => [block, ids[at]] as const)));
  const after = content.map((block: Fields, at) =>
    idOf.has(at) && block.id !== idOf.get(at) ? { ...block, id: idOf.get(at) } : block,
  );
  return after.some((block, at) => block !== content[at]) ? after : content;
}

/** The slots of a named message, with the values that the message itself has. */
export function ownSlots(
  slots: readonly LangChainSlot[],
  { message }: Named,
  own: Fields,
): readonly LangChainSlot[] {
  if (message === own) return slots;
  const values = { tool_calls: listOf(own, 'tool_calls').values(), content: contentOf(own).values() };
  return slots.map((slot) =>
    slot.field === 'tool_calls' || (slot.field === 'content' && Array.isArray(own.content))
      ? { ...slot, native: values[slot.field].next().value }
      : slot,
  );
}

function contentOf({ content }: Fields): readonly unknown[] {
  return Array.isArray(content) ? content : [];
}
