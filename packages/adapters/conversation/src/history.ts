import type { ContextManager, Message } from '@ctx/core';
import { isClosing } from '@ctx/core/codec';

/** The history that a manager holds. */
export function historyOf({ transcript }: ContextManager): Message[] {
  return transcript.map(({ message }) => message).filter((message) => !isClosing(message));
}
