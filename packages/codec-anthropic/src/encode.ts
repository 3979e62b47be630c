import { equal, type Fields, isFields, type Message, partsOf } from '@ctx/core';
import { blocksOf, indicesOf, type Native, type Origin, partsFrom } from './decode.js';
import type { AnthropicConversation, NativeMessage } from './native-message.js';
import { blockOf } from './part-to-block.js';

const place = 'native.message';

/**
 * A native conversation: the very objects where nothing was edited, else with only what the edit named replaced.
 * System messages become the system prompt, wherever they stood.
 */
export function fromMessages(messages: readonly Message[]): AnthropicConversation {
  const system = systemPrompt(messages.filter((message) => message.role === 'system'));
  const groups = groupsOf(messages.filter((message) => message.role !== 'system'));
  const natives = withThinkingFirst(groups.flatMap(encode));
  return { ...(system !== undefined && { system }), messages: natives as NativeMessage[] };
}

/**
 * Where what stood between two messages of the assistant has left, the API joins them, and wants the last turn that calls tools to
 * begin with its thinking. There the thinking goes before what was said.
 */
function withThinkingFirst(natives: readonly Native[]): readonly Native[] {
  const end = natives.findLastIndex(({ role }) => role === 'assistant') + 1;
  const start = natives.slice(0, end).findLastIndex(({ role }) => role !== 'assistant') + 1;
  const blocks = natives.slice(start, end).flatMap((native) => blocksOf(native, place));
  const thinking = blocks.filter(isThinking);
  const rest = blocks.filter((block) => !isThinking(block));
  const callsTools = rest.some((block) => isFields(block) && block.type === 'tool_use');
  if (end - start < 2 || !callsTools || thinking.length === 0 || isThinking(blocks[0])) return natives;
  const joined = { ...(natives[end - 1] as Native), content: [...thinking, ...rest] } as Native;
  return [...natives.slice(0, start), joined, ...natives.slice(end)];
}

function isThinking(block: unknown): boolean {
  return isFields(block) && (block.type === 'thinking' || block.type === 'redacted_thinking');
}

function systemPrompt(messages: readonly Message[]): AnthropicConversation['system'] {
  const contents = messages.flatMap((message) => encode([message])).map((native) => native.content);
  if (contents.length < 2) return contents[0] as AnthropicConversation['system'];
  const blocks = contents.flatMap((content) =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  );
  return blocks as Exclude<AnthropicConversation['system'], string>;
}

/** Puts together what is one native message. */
function groupsOf(messages: readonly Message[]): Message[][] {
  const groups: Message[][] = [];
  for (const message of messages) {
    const group = groups.at(-1);
    if (group !== undefined && joins(message, group)) group.push(message);
    else groups.push([message]);
  }
  return groups;
}

/** The rest of the same native message does, and results in a row, because the API wants all in one message. */
function joins(message: Message, group: readonly Message[]): boolean {
  if (group.at(-1)?.role !== 'tool') return false;
  const origin = originOf(message);
  const others = group.map(originOf).filter((other) => other !== undefined);
  if (origin === undefined || others.length === 0) return message.role === 'tool';
  return others.every((other) => isRestOf(origin, other));
}

/** After a snapshot was restored the native message is no longer the same object. */
function isRestOf(origin: Origin, other: Origin): boolean {
  if (origin.blocks === undefined || other.blocks === undefined) return false;
  return (
    !origin.blocks.some((index) => other.blocks?.includes(index)) && equal(origin.message, other.message)
  );
}

/** What a message was made from, unless another codec made it or its role has changed since. */
function originOf({ native, role }: Message): Origin | undefined {
  if (!isFields(native) || native.codec !== 'anthropic' || !isFields(native.message)) return undefined;
  return native.message.role === nativeRole(role) ? (native as unknown as Origin) : undefined;
}

function nativeRole(role: Message['role']): Native['role'] {
  return role === 'tool' ? 'user' : role;
}

/** A block, and the position it had where it was in the native message. */
interface Placed {
  readonly index: number | undefined;
  readonly block: unknown;
}

function encode(group: readonly Message[]): Native[] {
  const [first] = group;
  if (first === undefined) return [];
  const native = group.map(originOf).find((origin) => origin !== undefined)?.message;
  const blocks = native === undefined ? [] : blocksOf(native, place);
  const placed = group.flatMap((message) => placedBlocks(message, blocks));
  if (placed.every(({ index }) => index !== undefined))
    placed.sort((a, b) => Number(a.index) - Number(b.index));
  const same = placed.length === blocks.length && placed.every(({ block }, index) => block === blocks[index]);
  if (native !== undefined && same) return [native];
  if (placed.length === 0) return [];
  const wasText = typeof (native ?? first).content === 'string';
  const content = placed.map(({ block }) => block);
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

/** Compares with a fresh decode, so that a part counts as edited only when it says something else. */
function placedBlocks(message: Message, blocks: readonly unknown[]): Placed[] {
  const { role } = message;
  const parts = partsOf(message);
  const origin = originOf(message);
  const indices = origin === undefined ? [] : indicesOf(origin, blocks);
  const results = parts.filter((part) => part.type === 'tool-result');
  const nameOf = (id: string) => results.find((result) => result.toolCallId === id)?.toolName;
  const before = origin === undefined ? [] : partsFrom(role, origin, nameOf, place);
  if (origin !== undefined && equal(parts, before))
    return indices.map((index) => ({ index, block: blocks[index] }));
  return parts.flatMap((part, position): Placed[] => {
    const source = parts.length === before.length ? position : before.findIndex((old) => equal(old, part));
    const index = indices[source];
    const old = index === undefined ? undefined : blocks[index];
    if (index !== undefined && equal(part, before[source])) return [{ index, block: old }];
    const block = blockOf(part, role, old as Fields | undefined);
    return block === undefined ? [] : [{ index, block }];
  });
}
