import type { Message } from '@ctx/core';
import { anthropic, isSystemPrompt } from './anthropic-form.js';
import type { AnthropicConversation, NativeMessage } from './native-message.js';
import { thinkingFirst } from './thinking-first.js';

/**
 * A native conversation: the very same objects if nothing was edited, otherwise copies in which only the edited parts are replaced.
 * System messages become the system prompt, wherever they are, except those received as messages. What a message becomes does not depend
 * on what follows it, so a conversation that has grown begins with the blocks that were sent before.
 */
export function fromMessages(messages: readonly Message[]): AnthropicConversation {
  const system = systemPrompt(messages.filter(isSystemPrompt));
  const pieces = anthropic.drafts(messages.filter((message) => !isSystemPrompt(message))).flatMap((draft) => {
    const native = anthropic.nativeOf(draft);
    return native === undefined ? [] : [{ native, continues: draft.before?.continues === true }];
  });
  const natives = thinkingFirst(pieces);
  return { ...(system !== undefined && { system }), messages: natives as NativeMessage[] };
}

function systemPrompt(messages: readonly Message[]): AnthropicConversation['system'] {
  const contents = anthropic.fromMessages(messages).map((native) => native.content ?? []);
  if (contents.length < 2) return contents[0] as AnthropicConversation['system'];
  const blocks = contents.flatMap((content) =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  );
  return blocks as Exclude<AnthropicConversation['system'], string>;
}
