import { type Message, messageText, toolCallsOf } from '@ctx/core';
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  trimMessages,
} from '@langchain/core/messages';
import { type ModelMessage, pruneMessages } from 'ai';

/** The same messages as LangChain has them. */
export function toLangChain(messages: readonly Message[]): BaseMessage[] {
  return messages.flatMap((message): BaseMessage[] => {
    const content = messageText(message);
    switch (message.role) {
      case 'system':
        return [new SystemMessage(content)];
      case 'user':
        return [new HumanMessage(content)];
      case 'assistant':
        return [
          new AIMessage({
            content,
            tool_calls: toolCallsOf(message).map((call) => ({
              id: call.toolCallId,
              name: call.toolName,
              args: call.input as Record<string, unknown>,
            })),
          }),
        ];
      case 'tool':
        return message.content.map(
          (part) =>
            new ToolMessage({
              content: messageText({ role: 'tool', content: [part] }),
              tool_call_id: part.toolCallId,
            }),
        );
      default:
        return message satisfies never;
    }
  });
}

/** The same messages as the AI SDK has them. */
export function toAiSdk(messages: readonly Message[]): ModelMessage[] {
  return messages.map((message) => {
    if (message.role !== 'tool') return message as ModelMessage;
    const content = message.content.map(({ toolCallId, toolName, output }) => ({
      type: 'tool-result' as const,
      toolCallId,
      toolName,
      output: { type: 'text' as const, value: typeof output === 'string' ? output : JSON.stringify(output) },
    }));
    return { role: 'tool', content };
  });
}

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
