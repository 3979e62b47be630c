import { createContextManager, type Message } from '@ctx/core';

/** No provider accepts a call without a result, so no candidate gets one. */
export function repaired(messages: readonly Message[]): Message[] {
  const manager = createContextManager();
  for (const message of messages) manager.append(message);
  return manager.transcript.map(({ message }) => message);
}
