import type { ContextManager, Message } from '@ctx/core';
import { outputOf } from './message-spec.js';
import type { Operation } from './operation.js';
import { waitingCalls } from './pair-laws.js';

/** Results for the calls that wait, in one message or in several. */
export function answers(
  manager: ContextManager,
  { outputs, together, backwards }: Extract<Operation, { do: 'answer' }>,
  tag: number,
): Message[] {
  const { transcript } = manager;
  const waiting = waitingCalls(transcript).slice(0, outputs.length);
  const asking = transcript.findLast(({ message }) => message.role !== 'tool')?.message;
  const results = waiting.map((toolCallId, at) => {
    const call =
      typeof asking?.content === 'string'
        ? undefined
        : asking?.content.find((part) => part.type === 'tool-call' && part.toolCallId === toolCallId);
    const { form } = outputs[at] as (typeof outputs)[number];
    return {
      type: 'tool-result' as const,
      toolCallId,
      toolName: call?.type === 'tool-call' ? call.toolName : 'read',
      output: outputOf(outputs[at] as (typeof outputs)[number]),
      ...(form === 'string' && tag % 5 === 0 && { isError: true }),
    };
  });
  const ordered = backwards ? results.toReversed() : results;
  const groups = together ? [ordered] : ordered.map((one) => [one]);
  return groups
    .filter((content) => content.length > 0)
    .map((content, at) => ({ role: 'tool', content, metadata: { tag: tag + (at + 1) / 100 } }));
}
