import { type Fields, isFields, nameIn } from '../fields.js';
import type { Answer } from '../telling/dialogue.js';

/** The parts of an `assistant.message`: what it thought, said and called. */
export function copilotContent(data: Fields): unknown[] {
  const { content, toolRequests } = data;
  const calls = Array.isArray(toolRequests) ? toolRequests : [];
  return [
    ...reasoningIn(data),
    ...(content === '' || content === undefined || content === null ? [] : [{ type: 'text', text: content }]),
    ...calls.map((call: unknown) => {
      const { toolCallId, name, arguments: input } = isFields(call) ? call : {};
      return { type: 'tool-call', toolCallId, toolName: name, input: input ?? {} };
    }),
  ];
}

/** If there is no text, the model reads what is encrypted. */
function reasoningIn(data: Fields): unknown[] {
  const text = nameIn(data, 'reasoningText');
  if (text !== undefined) return [{ type: 'reasoning', text }];
  const encrypted = nameIn(data, 'encryptedContent') ?? nameIn(data, 'reasoningOpaque');
  return encrypted === undefined ? [] : [{ type: 'reasoning', text: '', encrypted }];
}

/** What a `tool.execution_complete` says to the model. */
export function resultOf({ toolCallId, toolName, success, result, error }: Fields): Answer {
  const failed = success === false;
  const { content } = isFields(result) ? result : {};
  const { message } = isFields(error) ? error : {};
  return { callId: toolCallId, toolName, output: content ?? message ?? '', ...(failed && { isError: true }) };
}
