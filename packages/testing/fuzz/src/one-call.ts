import type { Message } from '@ctx/core';

/** The problem of a list of messages that was compressed in one call; undefined if there is none. */
export function onceProblem(said: readonly Message[], messages: readonly Message[]): string | undefined {
  const mustStay = (message: Message) =>
    message.role === 'system' || (message.role === 'user' && message.pinned === true);
  const lost = said.find((message) => mustStay(message) && !messages.includes(message));
  if (lost !== undefined) return `a message that has to stay is gone: ${JSON.stringify(lost).slice(0, 200)}`;
  const positions = messages.map((message) => said.indexOf(message)).filter((at) => at >= 0);
  return positions.every((at, index) => index === 0 || at > (positions[index - 1] as number))
    ? undefined
    : 'messages changed their order';
}
