import { type Fields, isFields } from '../base/native.js';

/**
 * True for a message of the usual form: a text, or texts, calls and results of text, with no more than what a codec needs. It is then
 * certain that `messageSchema` accepts it, which takes ten times as long to say so.
 */
export function isPlainMessage(value: unknown): boolean {
  if (!isFields(value)) return false;
  for (const key in value) if (key !== 'role' && key !== 'content' && key !== 'native') return false;
  const { role, content } = value;
  switch (role) {
    case 'system':
    case 'user':
      return typeof content === 'string' || isListOf(content, isText);
    case 'assistant':
      return typeof content === 'string' || isListOf(content, isTextOrCall);
    case 'tool':
      return isListOf(content, isTextResult);
    default:
      return false;
  }
}

function isListOf(value: unknown, isOne: (part: Fields) => boolean): boolean {
  if (!Array.isArray(value)) return false;
  // `every` would pass over what is missing in a sparse list.
  for (const part of value) if (!isFields(part) || !isOne(part)) return false;
  return true;
}

function isText({ type, text }: Fields): boolean {
  return type === 'text' && typeof text === 'string';
}

function isTextOrCall(part: Fields): boolean {
  return isText(part) || (part.type === 'tool-call' && part.input !== undefined && namesCall(part));
}

function isTextResult(part: Fields): boolean {
  return (
    part.type === 'tool-result' &&
    part.isError === undefined &&
    typeof part.output === 'string' &&
    namesCall(part)
  );
}

function namesCall({ toolCallId, toolName }: Fields): boolean {
  return isName(toolCallId) && isName(toolName);
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
