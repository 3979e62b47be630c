import { type Part, partsOf } from '@ctx/core';
import { type Turn, told, turnsOf } from './turns.js';
import { asDocument, type SessionWriter, uuidOf } from './writing.js';

/** What `opencode export` prints. It holds no system prompt. */
export const writeOpencode: SessionWriter = ({ id, messages, model, provider }) => {
  const turns = turnsOf(messages.filter(({ role }) => role !== 'system'));
  return asDocument({
    info: { id, title: id },
    messages: turns.map((turn, index) => {
      const { role, createdAt } = turn.message;
      const time = createdAt === undefined ? {} : { created: createdAt };
      const names = role === 'assistant' ? { modelID: model, providerID: provider } : {};
      return {
        info: { id: `msg_${uuidOf(id, index)}`, sessionID: id, role, time, ...names },
        parts: [
          ...(role === 'assistant' ? [{ type: 'step-start' }] : []),
          ...partsOf(turn.message).flatMap((part) => partOf(part, turn)),
        ],
      };
    }),
  });
};

function partOf(part: Part, { results }: Turn): unknown[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return [{ type: part.type, text: part.text }];
    case 'tool-call':
      return [{ type: 'tool', tool: part.toolName, callID: part.toolCallId, state: stateOf(part, results) }];
    case 'image':
      return [{ type: 'file', url: part.image, mime: part.mediaType ?? 'image/png' }];
    case 'file':
      return [{ type: 'file', url: part.data, mime: part.mediaType, filename: part.filename }];
    default:
      return [];
  }
}

function stateOf(call: Extract<Part, { type: 'tool-call' }>, results: Turn['results']): unknown {
  const result = results.get(call.toolCallId);
  if (result === undefined) return { status: 'pending', input: call.input };
  const { text, isError } = told(result);
  return isError
    ? { status: 'error', input: call.input, error: text }
    : { status: 'completed', input: call.input, output: text };
}
