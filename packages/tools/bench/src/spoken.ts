import { type Message, messageText, partsOf, partText } from '@ctx/core';

/** Everything of a message that is text: names and decoded arguments of its calls, what was said, results. */
export function textOf(message: Message): string {
  const called = namesAndArguments(message);
  return [...called, messageText(message)].filter((text) => text !== '').join('\n');
}

/** The same as separate texts: a line of one has no neighbour in another. */
export function sourcesOf(message: Message): string[] {
  const said = partsOf(message).map((part) => partText(part) ?? '');
  return [...namesAndArguments(message), ...said].filter((text) => text !== '');
}

function namesAndArguments(message: Message): string[] {
  return partsOf(message).flatMap((part) =>
    part.type === 'tool-call' ? [part.toolName, ...leavesOf(part.input, { keys: true })] : [],
  );
}

/** What an agent says and does: its texts and the values of its calls' arguments, without reasoning. */
export function spokenBy(message: Message): string {
  if (message.role !== 'assistant') return '';
  const values = partsOf(message).flatMap((part) =>
    part.type === 'tool-call' ? leavesOf(part.input, { keys: false }) : [],
  );
  return [...values, messageText(message)].join('\n');
}

/** The names of tools and of their arguments, which an agent knows from the tools' definitions. */
export function toolWordsOf(messages: readonly Message[]): Set<string> {
  return new Set(
    messages.flatMap((message) =>
      partsOf(message).flatMap((part) =>
        part.type === 'tool-call' ? [part.toolName, ...keysIn(part.input)] : [],
      ),
    ),
  );
}

/** Levels; deeper is no argument that somebody wrote. */
const deepest = 20;

/** The scalar values of an input, and its keys on request, one per line. */
export function leavesOf(value: unknown, { keys }: { keys: boolean }, depth = 0): string[] {
  if (depth > deepest || value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item, { keys }, depth + 1));
  if (typeof value === 'object')
    return Object.entries(value).flatMap(([key, item]) => [
      ...(keys ? [key] : []),
      ...leavesOf(item, { keys }, depth + 1),
    ]);
  return [String(value)];
}

function keysIn(value: unknown, depth = 0): string[] {
  if (depth > deepest || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => keysIn(item, depth + 1));
  return Object.entries(value).flatMap(([key, item]) => [key, ...keysIn(item, depth + 1)]);
}
