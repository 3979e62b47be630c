import { type Message, messageText, type ToolCallPart, toolCallsOf } from '@ctx/core';

const checkbox = /^\s*[-*] \[( |x|X)\] (.+)$/;

/** The open points of the list in a message: from a to-do tool, or unticked boxes in its text. Undefined if it has no list. */
export function openPointsIn(message: Message): readonly string[] | undefined {
  const listed = toolCallsOf(message)
    .map(listOf)
    .find((list) => list !== undefined);
  if (listed !== undefined || message.role === 'tool') return listed;
  const boxes = messageText(message)
    .split('\n')
    .flatMap((line) => (line.length < 500 ? [checkbox.exec(line)] : []))
    .filter((match) => match !== null);
  if (boxes.length === 0) return undefined;
  return boxes.filter(([, mark]) => mark === ' ').map(([, , text = '']) => text);
}

/** The open items of `{ todos: [{ content, status }] }` or `{ plan: [{ step, status }] }`. */
function listOf({ input }: ToolCallPart): string[] | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const { todos, plan } = input as { todos?: unknown; plan?: unknown };
  const items = Array.isArray(todos) ? todos : plan;
  if (!Array.isArray(items)) return undefined;
  return items.flatMap((item: unknown) => {
    const { content, step, status } = (item ?? {}) as { content?: unknown; step?: unknown; status?: unknown };
    const text = content ?? step;
    return typeof text === 'string' && status !== 'completed' ? [text] : [];
  });
}
