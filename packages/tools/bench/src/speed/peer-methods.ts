import { type BaseMessage, trimMessages } from '@langchain/core/messages';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { type ModelMessage, pruneMessages } from 'ai';
import { ClearToolUsesEdit } from 'langchain';

export function trimWith(countText: (text: string) => number) {
  const tokenCounter = (messages: BaseMessage[]) =>
    messages.reduce((sum, message) => sum + countText(String(message.content)) + 3, 0);
  return (messages: BaseMessage[], maxTokens: number) =>
    trimMessages(messages, {
      maxTokens,
      tokenCounter,
      strategy: 'last',
      startOn: 'human',
      includeSystem: true,
    });
}

export const approximately = (text: string) => Math.ceil(text.length / 4);

export function prune(messages: ModelMessage[]): ModelMessage[] {
  return pruneMessages({
    messages,
    reasoning: 'all',
    toolCalls: 'before-last-10-messages',
    emptyMessages: 'remove',
  });
}

/** Only needed for limits that are a share of a model's window. */
const model = new FakeListChatModel({ responses: [''] });

export async function clearToolUses(messages: readonly BaseMessage[], maxTokens: number): Promise<void> {
  const countTokens = (counted: BaseMessage[]) =>
    counted.reduce((sum, { content }) => sum + approximately(String(content)), 0);
  const edit = new ClearToolUsesEdit({ trigger: { tokens: maxTokens }, keep: { messages: 3 } });
  await edit.apply({ messages: [...messages], countTokens, model });
}
