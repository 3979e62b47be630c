type Fields = Readonly<Record<string, unknown>>;

const isText = (value: unknown): boolean => typeof value === 'string';
const isName = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isAbsent = (value: unknown): boolean => value === undefined;

/**
 * True for a message of a form that nearly all have: text, reasoning, calls, and results that are text or JSON. The schema accepts every such
 * message, but needs five times as long, because it makes a copy. False says nothing: the schema decides.
 */
export function isPlainMessage(value: unknown): boolean {
  if (!isFields(value)) return false;
  const { role, content, id, createdAt, priority, pinned, summary, metadata } = value;
  const isPlain =
    (isAbsent(id) || isName(id)) &&
    (isAbsent(createdAt) || (Number.isFinite(createdAt) && (createdAt as number) >= 0)) &&
    (isAbsent(pinned) || typeof pinned === 'boolean') &&
    (isAbsent(summary) || typeof summary === 'boolean') &&
    isAbsent(priority) &&
    isAbsent(metadata);
  if (!isPlain) return false;
  if (role === 'tool') return Array.isArray(content) && content.every(isPlainResult);
  if (role !== 'system' && role !== 'user' && role !== 'assistant') return false;
  if (typeof content === 'string') return true;
  return Array.isArray(content) && content.every(role === 'assistant' ? isPlainAnswer : isPlainText);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isPlainText(part: unknown): boolean {
  return isFields(part) && part.type === 'text' && isText(part.text);
}

function isPlainAnswer(part: unknown): boolean {
  if (!isFields(part)) return false;
  switch (part.type) {
    case 'text':
      return isText(part.text);
    case 'reasoning':
      return isText(part.text) && (isAbsent(part.encrypted) || isText(part.encrypted));
    case 'tool-call':
      return isName(part.toolCallId) && isName(part.toolName) && 'input' in part;
    default:
      return false;
  }
}

function isPlainResult(part: unknown): boolean {
  if (!isFields(part) || part.type !== 'tool-result') return false;
  const { toolCallId, toolName, output, isError } = part;
  if (!isName(toolCallId) || !isName(toolName)) return false;
  if (!isAbsent(isError) && typeof isError !== 'boolean') return false;
  return typeof output === 'string' || isPlainOutput(output);
}

function isPlainOutput(output: unknown): boolean {
  if (!isFields(output) || !('value' in output)) return false;
  const { type, value } = output;
  if (type === 'json' || type === 'error-json') return true;
  return (type === 'text' || type === 'error-text') && isText(value);
}
