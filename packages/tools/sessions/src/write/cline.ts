import { type Part, partsOf } from '@ctx/core';
import { told } from './turns.js';
import { asDocument, type SessionWriter, uuidOf } from './writing.js';

/** The messages of Cline: blocks like those of Anthropic's API. */
export const writeCline: SessionWriter = ({ id, messages, model, provider }) =>
  asDocument({
    version: 1,
    sessionId: id,
    messages: messages.map((message, index) => ({
      id: uuidOf(id, index),
      role: message.role === 'tool' ? 'user' : message.role,
      content: partsOf(message).flatMap(blockOf),
      // Its files are known by the time of each message.
      ts: message.createdAt ?? index,
      ...(message.role === 'assistant' && { modelInfo: { id: model, provider } }),
    })),
  });

function blockOf(part: Part): unknown[] {
  switch (part.type) {
    case 'text':
      return [part];
    case 'reasoning':
      return part.text === '' ? [] : [{ type: 'thinking', thinking: part.text }];
    case 'tool-call':
      return [{ type: 'tool_use', id: part.toolCallId, name: part.toolName, input: part.input }];
    case 'tool-result': {
      const { text, isError } = told(part);
      return [
        {
          type: 'tool_result',
          tool_use_id: part.toolCallId,
          name: part.toolName,
          content: text,
          ...(isError && { is_error: true }),
        },
      ];
    }
    case 'image':
      return [{ type: 'image', source: { type: 'base64', data: part.image, media_type: part.mediaType } }];
    case 'opaque':
      return [part.value];
    default:
      return [];
  }
}
