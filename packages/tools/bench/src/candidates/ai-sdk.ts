import type { Message, ToolResultPart } from '@ctx/core';
import { type ModelMessage, pruneMessages } from 'ai';
import { type CountTokens, totalTokens } from '../count-tokens.js';

/** The same messages in the AI SDK's form. */
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

/**
 * Converts back. The results are the original ones, because none is ever changed.
 * @param sdk the result of `toAiSdk`; call ids may be reused, so a part is recognised by its identity
 */
export function fromAiSdk(
  left: readonly ModelMessage[],
  sdk: readonly ModelMessage[],
  messages: readonly Message[],
): Message[] {
  const results = new Map<unknown, ToolResultPart>();
  for (const [index, message] of messages.entries())
    if (message.role === 'tool')
      for (const [position, part] of message.content.entries())
        results.set(sdk[index]?.content[position], part);
  const originals = new Set<unknown>(messages);
  return left.map((message): Message => {
    if (originals.has(message) || message.role !== 'tool') return message as Message;
    const parts = message.content.flatMap((part) =>
      part.type === 'tool-result' ? (results.get(part) ?? []) : [],
    );
    return { role: 'tool', content: parts };
  });
}

/** The number of newest messages before which tool calls are removed, as many as fit the budget. */
const kept = [300, 200, 150, 100, 70, 50, 40, 30, 20, 15, 10, 7, 5, 3, 2, 1];

export function prune(
  messages: readonly Message[],
  budget: number,
  tokensOf: CountTokens,
): readonly Message[] {
  const sdk = toAiSdk(messages);
  let left: readonly Message[] = messages;
  for (const count of kept.filter((one) => one < messages.length)) {
    const pruned = pruneMessages({
      messages: sdk,
      reasoning: 'all',
      toolCalls: `before-last-${count}-messages`,
      emptyMessages: 'remove',
    });
    left = fromAiSdk(pruned, sdk, messages);
    if (totalTokens(left, tokensOf) <= budget) break;
  }
  return left;
}
