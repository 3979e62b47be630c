import { isErrorResult, type Message, outputText, type Part, partsOf, type ToolResultPart } from '@ctx/core';
import { asLines, type SessionWriter, timeOf, uuidOf } from './writing.js';

/** Entries of pi, each after the one before. */
export const writePi: SessionWriter = ({ id, messages, model, provider }) => {
  const said = messages.flatMap((message): { readonly message: Message; readonly native: object }[] =>
    message.role === 'tool'
      ? message.content.map((result) => ({ message, native: resultOf(result) }))
      : [{ message, native: nativeOf(message, { model, provider }) }],
  );
  const [first] = messages;
  return asLines([
    { type: 'session', version: 3, id, timestamp: first && timeOf(first), cwd: '/' },
    ...said.map(({ message, native }, index) => ({
      type: 'message',
      id: uuidOf(id, index).slice(0, 8) + index,
      parentId: index === 0 ? null : uuidOf(id, index - 1).slice(0, 8) + (index - 1),
      timestamp: timeOf(message),
      message: { ...native, timestamp: message.createdAt },
    })),
  ]);
};

function nativeOf(message: Message, names: { model: string | undefined; provider: string | undefined }) {
  const content = partsOf(message).flatMap(blockOf);
  return { role: message.role, content, ...(message.role === 'assistant' && names) };
}

function blockOf(part: Part): unknown[] {
  switch (part.type) {
    case 'text':
      return [part];
    case 'reasoning':
      return [{ type: 'thinking', thinking: part.text, thinkingSignature: part.encrypted }];
    case 'image':
      return [{ type: 'image', data: part.image, mimeType: part.mediaType }];
    case 'tool-call':
      return [{ type: 'toolCall', id: part.toolCallId, name: part.toolName, arguments: part.input }];
    case 'opaque':
      return [part.value];
    default:
      return [];
  }
}

function resultOf(result: ToolResultPart) {
  const { toolCallId, toolName, output } = result;
  const images =
    typeof output === 'object' && output.type === 'content'
      ? output.value.filter(({ type }) => type === 'image').flatMap(blockOf)
      : [];
  const content = [{ type: 'text', text: outputText(output) }, ...images];
  return { role: 'toolResult', toolCallId, toolName, content, isError: isErrorResult(result) };
}
