import {
  isErrorResult,
  type Message,
  messageText,
  outputText,
  partsOf,
  type ToolCallPart,
  type ToolResultPart,
  toolCallsOf,
} from '@ctx/core';

/** A message with the results of its calls, for formats that keep them together. */
export interface Turn {
  readonly message: Message;
  readonly calls: readonly ToolCallPart[];
  /** By the id of the call. */
  readonly results: ReadonlyMap<string, ToolResultPart>;
  /** The parts of it that are text. */
  readonly text: string;
  readonly reasoning: string;
}

/** The messages, with each result at the message that called. */
export function turnsOf(messages: readonly Message[]): Turn[] {
  const turns: (Turn & { results: Map<string, ToolResultPart> })[] = [];
  for (const message of messages) {
    if (message.role === 'tool')
      for (const result of message.content) turns.at(-1)?.results.set(result.toolCallId, result);
    else
      turns.push({
        message,
        calls: toolCallsOf(message),
        results: new Map(),
        text: messageText({
          ...message,
          content: partsOf(message).filter(({ type }) => type === 'text'),
        } as Message),
        reasoning: partsOf(message)
          .flatMap((part) => (part.type === 'reasoning' && part.text !== '' ? [part.text] : []))
          .join('\n\n'),
      });
  }
  return turns;
}

/** A result as text, and whether it is that of a failure. */
export function told(result: ToolResultPart): { readonly text: string; readonly isError: boolean } {
  return { text: outputText(result.output), isError: isErrorResult(result) };
}

/** The instructions of all system messages as one text; undefined if there are none. */
export function systemText(messages: readonly Message[]): string | undefined {
  const texts = messages.filter(({ role }) => role === 'system').map(messageText);
  return texts.length === 0 ? undefined : texts.join('\n\n');
}
