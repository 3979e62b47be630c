import type { Message } from '@ctx/core';
import { Transcript } from '@ctx/core/kit';

/**
 * Roo Code's sliding window: drops a share of the messages after the first one, oldest first and always an even number. System messages
 * stay. So does an exchange that the window would cut in two.
 * @param fraction 0–1, default 0.5
 */
export function truncateConversation(messages: readonly Message[], fraction = 0.5): Message[] {
  const transcript = new Transcript();
  for (const message of messages) transcript.append(message);
  const spoken = transcript.messages.filter(({ message }) => message.role !== 'system').slice(1);
  const share = Math.floor(spoken.length * fraction);
  const window = new Set(spoken.slice(0, share - (share % 2)));
  const cut = new Set(
    transcript.messages
      .filter((entry) => entry.message.role !== 'system' && !window.has(entry))
      .map(({ exchange }) => exchange),
  );
  return transcript.messages
    .filter((entry) => !window.has(entry) || cut.has(entry.exchange))
    .map(({ message }) => message);
}
