import type { ContextManager, Message } from '@ctx/core';
import { unansweredOutput } from '@ctx/core/codec';

/** True for a result that core itself added for calls that were never answered: no history has it. */
export function isClosing({ role, content }: Message): boolean {
  return (
    role === 'tool' &&
    content.every((part) => part.type === 'tool-result' && part.isError && part.output === unansweredOutput)
  );
}

/** The history that a manager holds. */
export function historyOf({ transcript }: ContextManager): Message[] {
  return transcript.map(({ message }) => message).filter((message) => !isClosing(message));
}
