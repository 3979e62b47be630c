import { type Message, partsOf } from '@ctx/core';
import { equal, type Fields, isFields, nativeGroups, sourcesOf } from '@ctx/core/codec';
import { blocksOf, indicesOf, type Native, type Origin, partsFrom } from './decode.js';
import type { AnthropicConversation, NativeMessage } from './native-message.js';
import { blockOf } from './part-to-block.js';
import { type Piece, thinkingFirst } from './thinking-first.js';

const place = 'native.message';

/**
 * A native conversation: the very same objects if nothing was edited, otherwise copies in which only the edited parts are replaced.
 * System messages become the system prompt, wherever they are, except those that came as messages. What a message becomes does not depend
 * on what follows it, so a conversation that has grown begins with the blocks that were sent before.
 */
export function fromMessages(messages: readonly Message[]): AnthropicConversation {
  const system = systemPrompt(messages.filter(isSystemPrompt));
  const groups = nativeGroups(
    messages.filter((message) => !isSystemPrompt(message)),
    placeOf,
  );
  const natives = thinkingFirst(groups.flatMap(piecesOf));
  return { ...(system !== undefined && { system }), messages: natives as NativeMessage[] };
}

export function isSystemPrompt(message: Message): boolean {
  return message.role === 'system' && originOf(message)?.inMessages !== true;
}

function piecesOf(group: readonly Message[]): Piece[] {
  const continues = group.some((message) => originOf(message)?.continues === true);
  return encode(group).map((native) => ({ native, continues }));
}

function systemPrompt(messages: readonly Message[]): AnthropicConversation['system'] {
  const contents = messages.flatMap((message) => encode([message])).map((native) => native.content);
  if (contents.length < 2) return contents[0] as AnthropicConversation['system'];
  const blocks = contents.flatMap((content) =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  );
  return blocks as Exclude<AnthropicConversation['system'], string>;
}

function placeOf(message: Message): ReturnType<Parameters<typeof nativeGroups>[1]> {
  const origin = originOf(message);
  return origin && { message: origin.message, pieces: origin.blocks };
}

/** The origin of a message; undefined if another codec made it or its role has changed since. */
export function originOf({ native, role }: Message): Origin | undefined {
  if (!isFields(native) || native.codec !== 'anthropic' || !isFields(native.message)) return undefined;
  if (native.blocks !== undefined && !isIndices(native.blocks)) return undefined;
  return native.message.role === nativeRole(role) ? (native as unknown as Origin) : undefined;
}

function isIndices(blocks: unknown): boolean {
  return Array.isArray(blocks) && blocks.every((index) => Number.isInteger(index));
}

function nativeRole(role: Message['role']): Native['role'] {
  return role === 'tool' ? 'user' : role;
}

/** The block of a part, and its old position if it was in the native message. The API has no block for some parts. */
interface Placed {
  readonly index: number | undefined;
  readonly block: unknown;
  /** The block that was there before the part was edited. */
  readonly old?: unknown;
}

function isPlaced({ block }: Placed): boolean {
  return block !== undefined;
}

/** Stands for what the user said if nothing of it has a form here: the first message has to be the user's. */
const unshown = { type: 'text', text: '[A message that cannot be shown here]' };

function encode(group: readonly Message[]): Native[] {
  const [first] = group;
  if (first === undefined) return [];
  const native = group.map(originOf).find((origin) => origin !== undefined)?.message;
  const blocks = native === undefined ? [] : blocksOf(native, place);
  const placed = group.flatMap((message) => placedBlocks(message, blocks).filter(isPlaced));
  if (placed.every(({ index }) => index !== undefined))
    placed.sort((a, b) => Number(a.index) - Number(b.index));
  const same = placed.length === blocks.length && placed.every(({ block }, index) => block === blocks[index]);
  if (native !== undefined && same) return [native];
  if (placed.length === 0 && first.role !== 'user') return [];
  const wasText = typeof (native ?? first).content === 'string';
  const content = placed.length === 0 ? [unshown] : placed.map(({ block }) => block);
  return [
    {
      ...(native ?? { role: nativeRole(first.role) }),
      content: wasText ? textOf(content) : content,
    } as Native,
  ];
}

function textOf(content: unknown[]): unknown {
  const [only] = content;
  return content.length === 1 && isFields(only) && only.type === 'text' ? only.text : content;
}

/** Returns the block of each part. Decodes again and compares, so that a part counts as edited only if it says something else. */
export function placedBlocks(message: Message, blocks: readonly unknown[]): Placed[] {
  const { role } = message;
  const parts = partsOf(message);
  const origin = originOf(message);
  const indices = origin === undefined ? [] : indicesOf(origin, blocks);
  const results = parts.filter((part) => part.type === 'tool-result');
  const nameOf = (id: string) => results.find((result) => result.toolCallId === id)?.toolName;
  const before = origin === undefined ? [] : partsFrom(role, origin, nameOf, place);
  if (origin !== undefined && equal(parts, before))
    return indices.map((index) => ({ index, block: blocks[index], old: blocks[index] }));
  const sources = sourcesOf(parts, before);
  return parts.map((part, position) => {
    const source = sources[position];
    const index = source === undefined ? undefined : indices[source];
    const old = index === undefined ? undefined : blocks[index];
    const same = source !== undefined && equal(part, before[source]);
    return { index, old, block: same ? old : blockOf(part, role, old as Fields | undefined) };
  });
}
