import { type Message, type Part, partsOf } from '@ctx/core';
import { CallNames, type Draft, isFields, type Slot, SlotCodec } from '@ctx/core/codec';
import { blocksOf, type Native, slotsOf } from './blocks.js';
import { blockOf, outputBlocks } from './part-to-block.js';

const place = 'native.message';

/** A native message, and where it stood. */
interface Stood {
  readonly native: Native;
  readonly slots: readonly Slot[];
  readonly pieces?: readonly number[] | undefined;
  readonly whole?: number | undefined;
  /** True if the native message before it was the assistant's too. */
  readonly continues: boolean;
  /** True for a system message among the other messages. */
  readonly inMessages: boolean;
}

/** What the blocks of the Messages API are like. */
export const anthropic = new SlotCodec<Slot, Native, Stood>({
  name: 'anthropic',
  results: 'together',
  readAgain: (message, { message: own, blocks, continues, inMessages }) => {
    if (!isFields(own) || own.role !== nativeRole(message.role)) return undefined;
    if (blocks !== undefined && !isIndices(blocks)) return undefined;
    const native = own as unknown as Native;
    return {
      native,
      slots: slotsOf(native, blocks, message.role, CallNames.in(partsOf(message)), place),
      pieces: blocks,
      whole: blocks && blocksOf(native, place).length,
      continues: continues === true,
      inMessages: inMessages === true,
    };
  },
  nativeOf: (part, role, slot) => {
    const native = blockOf(part, role, isFields(slot?.native) ? slot.native : undefined);
    return native && { native };
  },
  written,
  lostIn: lostMediaType,
  itemsOf: (items, slot) => outputBlocks(items, isFields(slot?.native) ? slot.native.content : undefined),
  isFirst: isSystemPrompt,
});

/** System messages become the system prompt, except those received as messages. */
export function isSystemPrompt(message: Message): boolean {
  return message.role === 'system' && anthropic.draft(message).before?.inMessages !== true;
}

function isIndices(blocks: unknown): blocks is number[] {
  return Array.isArray(blocks) && blocks.every((index) => Number.isInteger(index));
}

function nativeRole(role: Message['role']): Native['role'] {
  return role === 'tool' ? 'user' : role;
}

/** Placeholder for a user message of which no part has a form here: the first message has to be the user's. */
const unshown = { type: 'text', text: '[A message that cannot be shown here]' };

function written({ message: first, before, kept }: Draft<Slot, Native, Stood>): Native | undefined {
  const natives = kept.map(({ spot }) => spot?.native);
  if (natives.length === 0 && first.role !== 'user') return undefined;
  const blocks = natives.map((one) => (typeof one === 'string' ? { type: 'text', text: one } : one));
  const content = blocks.length === 0 ? [unshown] : blocks;
  const native = before?.native ?? { role: nativeRole(first.role) };
  const wasText = typeof (before?.native ?? first).content === 'string';
  return { ...native, content: wasText ? textOf(content) : content } as Native;
}

function textOf(content: unknown[]): unknown {
  const [only] = content;
  return content.length === 1 && isFields(only) && only.type === 'text' ? only.text : content;
}

/** Only data has a media type; a document given by a URL is a PDF. */
function lostMediaType(part: Part, block: unknown) {
  if (part.type !== 'image' && part.type !== 'file') return [];
  const { mediaType } = part;
  const source = isFields(block) && isFields(block.source) ? block.source : {};
  const said = source.media_type ?? (part.type === 'file' ? 'application/pdf' : undefined);
  return mediaType === undefined || mediaType === said ? [] : [{ place: 'mediaType', what: 'mediaType' }];
}
