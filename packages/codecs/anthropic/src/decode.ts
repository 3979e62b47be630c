import type { Message } from '@ctx/core';
import {
  CallNames,
  createdAt,
  type DecodeContext,
  type Fields,
  fieldsOf,
  isFields,
  nativeInvalid,
} from '@ctx/core/codec';
import { anthropic } from './anthropic-form.js';
import { type Calls, isResult } from './block-to-part.js';
import { blocksOf, type Native, nativeAt, slotsOf, wholeRequest } from './blocks.js';
import type { AnthropicRequest, AnyMessage } from './native-message.js';
import { bringsTools, isSplit } from './server-tools.js';

/** Where a message stood. */
interface Position {
  /** True if the native message before it was the assistant's too: the API wrote both, in this order. */
  readonly continues?: true;
  /** True for a system message among the other messages, outside the system prompt. */
  readonly inMessages?: true;
}

/** @throws ValidationError `native-invalid` with the place that is not understood */
export function toMessages(
  conversation: AnthropicRequest | readonly AnyMessage[],
  { after = [] }: DecodeContext = {},
): Message[] {
  const remedy = 'Give a list of messages, or the `system` and `messages` of a request.';
  const { system, messages } = fieldsOf(wholeRequest(conversation), 'conversation', remedy);
  if (!Array.isArray(messages)) throw nativeInvalid('A list was expected', 'messages', messages, remedy);
  const calls = new CallNames(after);
  const decoded: Message[] = [];
  if (system !== undefined)
    decoded.push(...decode({ role: 'system', content: system } as Native, calls, 'system'));
  let last: Message['role'] | undefined = after.at(-1)?.role;
  messages.forEach((value: unknown, index) => {
    const native = nativeAt(value, `messages[${index}]`);
    const position = {
      ...(native.role === 'assistant' && last === 'assistant' && { continues: true as const }),
      ...(native.role === 'system' && { inMessages: true as const }),
    };
    last = native.role;
    for (const message of decode(native, calls, `messages[${index}]`, position)) {
      calls.see(message);
      decoded.push(message);
    }
  });
  return decoded;
}

/** One message, or two if a native message has both results and other blocks. */
export function decode(native: Native, calls: Calls, place: string, position: Position = {}): Message[] {
  const blocks = blocksOf(native, place);
  const all = [...blocks.keys()];
  const results = native.role === 'user' ? all.filter((index) => isResult(blocks[index])) : [];
  const others = all.filter((index) => !results.includes(index));
  const messageOf = (role: Message['role'], indices?: readonly number[]) => {
    const slots = slotsOf(native, indices, role, calls, place);
    const natives = slots.map((slot) => slot.native);
    const origin = { message: native, ...position, ...(indices !== undefined && { blocks: indices }) };
    return anthropic.message(role, slots, origin, {
      ...createdAt((native as unknown as Fields).timestamp),
      ...((isSplit(natives) || natives.some(bringsTools)) && { pinned: true }),
      ...(natives.some(isCompaction) && { pinned: true, summary: true }),
    });
  };
  if (results.length === 0) return [messageOf(native.role)];
  return others.length === 0 ? [messageOf('tool')] : [messageOf('tool', results), messageOf('user', others)];
}

/**
 * A block that the API wrote in place of everything before it. The rest makes no sense without it, so it is pinned. Like a summary, it
 * begins an epoch.
 */
function isCompaction(block: unknown): boolean {
  return isFields(block) && block.type === 'compaction';
}
