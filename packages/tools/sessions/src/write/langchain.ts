import { type Message, messageText, type Part, partsOf, toolCallsOf } from '@ctx/core';
import { told } from './turns.js';
import { asDocument, type SessionWriter } from './writing.js';

/** Messages as LangChain stores them: `mapStoredMessagesToChatMessages` reads them. */
export const writeLangChain: SessionWriter = ({ messages }) => asDocument(messages.flatMap(storedOf));

function storedOf(message: Message): unknown[] {
  switch (message.role) {
    case 'system':
      return [{ type: 'system', data: { content: messageText(message) } }];
    case 'user':
      return [{ type: 'human', data: { content: message.content === '' ? '' : blocksOf(message) } }];
    case 'assistant': {
      const calls = toolCallsOf(message).map(({ toolCallId, toolName, input }) => ({
        type: 'tool_call',
        id: toolCallId,
        name: toolName,
        args: input ?? {},
      }));
      return [{ type: 'ai', data: { content: blocksOf(message), tool_calls: calls } }];
    }
    case 'tool':
      return message.content.map((result) => {
        const { text, isError } = told(result);
        const { toolCallId, toolName: name } = result;
        const data = { content: text, tool_call_id: toolCallId, name, ...(isError && { status: 'error' }) };
        return { type: 'tool', data };
      });
    default:
      return message satisfies never;
  }
}

function blocksOf(message: Message): unknown[] {
  return partsOf(message).flatMap((part: Part): unknown[] => {
    switch (part.type) {
      case 'text':
        return [{ type: 'text', text: part.text }];
      case 'reasoning':
        return part.text === '' ? [] : [{ type: 'reasoning', reasoning: part.text }];
      case 'image':
        return [{ type: 'image_url', image_url: { url: part.image }, mimeType: part.mediaType }];
      default:
        return [];
    }
  });
}
