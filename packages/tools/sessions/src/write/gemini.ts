import { type Part, partsOf, type ToolResultPart } from '@ctx/core';
import { told, turnsOf } from './turns.js';
import { asDocument, asLines, type SessionWriter, timeOf, uuidOf } from './writing.js';

/** A chat of Gemini CLI as one document. It holds no system prompt. */
export const writeGemini: SessionWriter = ({ id, messages, model }) =>
  asDocument({
    sessionId: id,
    projectHash: uuidOf(id, 'project'),
    messages: turnsOf(messages.filter(({ role }) => role !== 'system')).map((turn, index) => {
      const { message, calls, results, text, reasoning } = turn;
      const about = { id: uuidOf(id, index), timestamp: timeOf(message) };
      if (message.role !== 'assistant')
        return { ...about, type: 'user', content: partsOf(message).flatMap(partOf) };
      return {
        ...about,
        type: 'gemini',
        content: text,
        thoughts: reasoning === '' ? [] : [{ subject: '', description: reasoning }],
        model,
        toolCalls: calls.map((call) => ({
          id: call.toolCallId,
          name: call.toolName,
          args: call.input,
          result: [results.get(call.toolCallId)].flatMap((one) =>
            one === undefined ? [] : [responseOf(one)],
          ),
        })),
      };
    }),
  });

/** Lines of Qwen Code: messages in parts as Gemini's API has them. They hold no system prompt. */
export const writeQwen: SessionWriter = ({ id, messages, model }) =>
  asLines(
    messages
      .filter(({ role }) => role !== 'system')
      .map((message, index) => {
        const parts = partsOf(message).flatMap(partOf);
        const type = message.role === 'tool' ? 'tool_result' : message.role;
        return {
          uuid: uuidOf(id, index),
          parentUuid: index === 0 ? null : uuidOf(id, index - 1),
          sessionId: id,
          timestamp: timeOf(message),
          type,
          ...(type === 'assistant' && { model }),
          message: { role: type === 'assistant' ? 'model' : 'user', parts },
        };
      }),
  );

function partOf(part: Part): unknown[] {
  switch (part.type) {
    case 'text':
      return [{ text: part.text }];
    case 'reasoning':
      return part.text === '' ? [] : [{ text: part.text, thought: true }];
    case 'tool-call':
      return [{ functionCall: { id: part.toolCallId, name: part.toolName, args: part.input } }];
    case 'tool-result':
      return [responseOf(part)];
    case 'image':
      return [{ inlineData: { data: part.image, mimeType: part.mediaType ?? 'image/png' } }];
    case 'file':
      return [{ inlineData: { data: part.data, mimeType: part.mediaType } }];
    case 'opaque':
      return [part.value];
    default:
      return part satisfies never;
  }
}

function responseOf(result: ToolResultPart) {
  const { text, isError } = told(result);
  const response = isError ? { error: text } : { output: text };
  return { functionResponse: { id: result.toolCallId, name: result.toolName, response } };
}
