import { type Message, toolCallsOf } from '@ctx/core';

/** The name of the tool that the nearest call with this id calls, in messages that came before. */
export function toolNameIn(messages: readonly Message[], toolCallId: string): string | undefined {
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const calls = toolCallsOf(messages[at] as Message);
    const call = calls.findLast((one) => one.toolCallId === toolCallId);
    if (call !== undefined) return call.toolName;
  }
  return undefined;
}
