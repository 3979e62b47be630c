import { type Fields, isFields } from '@ctx/core/codec';
import type { AnthropicConversation, ContentBlock, NativeMessage } from './native-message.js';
import { isThinking } from './thinking.js';

/**
 * Puts the cache breakpoints of messages that are no longer there on what now ends the same part of the conversation, so that what stands
 * before them is still cached. A breakpoint before which nothing is left goes with its message.
 */
export function withBreakpoints(
  conversation: AnthropicConversation,
  history: AnthropicConversation,
): AnthropicConversation {
  const places = new Map(history.messages.map((message, index) => [message, index]));
  const kept = new Set(conversation.messages.flatMap(blocksOf));
  const origin = conversation.messages.map((message) => places.get(message) ?? originIn(message, history));
  const marked = new Map<number, Fields>();
  history.messages.forEach((message, index) => {
    if (origin.includes(index)) return;
    for (const block of blocksOf(message)) {
      const mark = breakpointOf(block);
      if (mark === undefined || kept.has(block)) continue;
      const next = origin.findIndex((at) => at !== undefined && at > index);
      const end = (next < 0 ? conversation.messages.length : next) - 1;
      if (end >= 0) marked.set(end, mark);
    }
  });
  if (marked.size === 0) return conversation;
  const messages = conversation.messages.map((message, index) => {
    const mark = marked.get(index);
    return mark === undefined ? message : withBreakpoint(message, mark);
  });
  return { ...conversation, messages };
}

/** The position in the history of a message of which something was edited or joined: that of the first block that is still the same. */
function originIn(message: NativeMessage, { messages }: AnthropicConversation): number | undefined {
  const blocks = new Set(blocksOf(message));
  const index = messages.findIndex((one) => blocksOf(one).some((block) => blocks.has(block)));
  return index < 0 ? undefined : index;
}

/** A system message may have settings and no content. */
function blocksOf({ content }: { readonly content?: NativeMessage['content'] }): readonly ContentBlock[] {
  return typeof content === 'string' ? [] : (content ?? []);
}

function breakpointOf(block: unknown): Fields | undefined {
  return isFields(block) && isFields(block.cache_control) ? block.cache_control : undefined;
}

/** On the last block that may carry one, unless a block of the message has one already. */
function withBreakpoint(message: NativeMessage, mark: Fields): NativeMessage {
  const content: readonly ContentBlock[] =
    typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : blocksOf(message);
  if (content.some((block) => breakpointOf(block) !== undefined)) return message;
  const last = content.findLastIndex((block) => !isThinking(block) && !isEmptyText(block));
  if (last < 0) return message;
  const marked = content.map((block, index) => (index === last ? { ...block, cache_control: mark } : block));
  return { ...message, content: marked } as NativeMessage;
}

function isEmptyText(block: unknown): boolean {
  return isFields(block) && block.type === 'text' && block.text === '';
}
