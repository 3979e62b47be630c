type Fields = Readonly<Record<string, unknown>>;

const isText = (value: unknown): boolean => typeof value === 'string';
const rare = ['id', 'priority', 'pinned', 'summary', 'metadata'];

/**
 * True for a message of a form that nearly all have: a time at most, and text, reasoning, calls and results that are text. The schema accepts
 * every such message, but needs five times as long, because it makes a copy. False says nothing: the schema decides.
 */
export function isPlainMessage(value: unknown): boolean {
  if (!isFields(value) || rare.some((key) => value[key] !== undefined)) return false;
  const { role, content, createdAt = 0 } = value;
  const isKnown = role === 'system' || role === 'user' || role === 'assistant';
  if (!Number.isFinite(createdAt) || (createdAt as number) < 0) return false;
  if (isText(content)) return isKnown;
  return (
    (isKnown || role === 'tool') && Array.isArray(content) && content.every((part) => isPlainPart(part, role))
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function isPlainPart(part: unknown, role: string): boolean {
  if (!isFields(part)) return false;
  const { type, text, encrypted, toolCallId, toolName, output, isError = false } = part;
  if (role !== 'tool' && type === 'text') return isText(text);
  if (role === 'assistant' && type === 'reasoning') return isText(text) && encrypted === undefined;
  const isCall = isText(toolCallId) && toolCallId !== '' && isText(toolName) && toolName !== '';
  if (role === 'assistant' && type === 'tool-call') return isCall && 'input' in part;
  return (
    role === 'tool' && type === 'tool-result' && isCall && isText(output) && typeof isError === 'boolean'
  );
}
