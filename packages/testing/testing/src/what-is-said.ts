import { type Codec, type Message, outputText, partsOf } from '@ctx/core';

/** What each message says when it is read by itself, later, and only the messages before it are known. */
export function readAlone<C>(codec: Codec<C>, messages: readonly Message[]) {
  return messages.map((message, index) =>
    codec.toMessages(codec.fromMessages([message]), { after: messages.slice(0, index) }).map(spoken),
  );
}

/** What a message says, and what an edit may do with it. */
export function spoken(message: Message) {
  const { role, pinned = false, summary = false } = message;
  return { role, pinned, summary, parts: partsOf(message) };
}

/** The content of a message, in the same form for every provider. */
export function said(message: Message): unknown[] {
  return partsOf(message).map((part) => {
    if (part.type === 'tool-call') return { id: part.toolCallId, name: part.toolName, input: part.input };
    if (part.type === 'tool-result')
      return { id: part.toolCallId, name: part.toolName, output: outputText(part.output) };
    return { role: message.role, ...part };
  });
}
