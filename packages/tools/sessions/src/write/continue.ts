import { type Part, partsOf } from '@ctx/core';
import { stringifyJson } from '@ctx/core/codec';
import { told, turnsOf } from './turns.js';
import { asDocument, type SessionWriter } from './writing.js';

/** A session of Continue. */
export const writeContinue: SessionWriter = ({ id, messages, model }) =>
  asDocument({
    sessionId: id,
    title: id,
    history: turnsOf(messages).map(({ message, calls, results, text }) => {
      if (message.role !== 'assistant')
        return {
          message: { role: message.role, content: partsOf(message).flatMap(partOf) },
          contextItems: [],
        };
      const toolCalls = calls.map(({ toolCallId, toolName, input }) => ({
        id: toolCallId,
        type: 'function',
        function: {
          name: toolName,
          arguments: typeof input === 'string' ? input : stringifyJson(input ?? {}),
        },
      }));
      return {
        message: { role: 'assistant', content: text, toolCalls, usage: { model } },
        contextItems: [],
        toolCallStates: [...results.values()].map((result) => {
          const { text: content, isError } = told(result);
          const status = isError ? 'errored' : 'done';
          return { toolCallId: result.toolCallId, status, output: [{ content }] };
        }),
      };
    }),
  });

function partOf(part: Part): unknown[] {
  switch (part.type) {
    case 'text':
      return [part];
    case 'image':
      return [{ type: 'imageUrl', imageUrl: { url: part.image } }];
    default:
      return [];
  }
}
