import { bpeCounter, ContextManager, type Message, seededRandom } from '@ctx/core';

const vocabulary =
  'const function return value index session message token window budget compress import export async await error test path file read write parse result list map filter reduce'.split(
    ' ',
  );

/**
 * An invented agent's conversation of `count` messages, about 400 characters each: a user's message, then rounds of a tool call and its
 * result, then an answer. The same for the same count.
 */
export function conversation(count: number): Message[] {
  const random = seededRandom(count);
  const text = (length: number) =>
    Array.from({ length }, () => vocabulary[Math.floor(random() * vocabulary.length)]).join(' ');
  const messages: Message[] = [{ role: 'system', content: text(200) }];
  for (let round = 0; messages.length < count; round += 1) {
    const id = `call-${round}`;
    const path = `src/module-${round % 97}/file-${round % 13}.ts`;
    if (round % 10 === 0) messages.push({ role: 'user', content: text(40) });
    messages.push(
      {
        role: 'assistant',
        content: [
          { type: 'text', text: text(20) },
          { type: 'tool-call', toolCallId: id, toolName: 'read', input: { path, offset: round } },
        ],
      },
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: id, toolName: 'read', output: text(110) }],
      },
    );
  }
  return messages.slice(0, count - 1).concat({ role: 'user', content: 'And now?' });
}

/** Shared, so that a text that several measures have is counted once. */
export const counter = bpeCounter();

/** A manager whose window nothing fills. */
export function managerWith(messages: readonly Message[]): ContextManager {
  const manager = new ContextManager({ counter, config: { contextWindow: 1_000_000_000, throttleMs: 0 } });
  for (const message of messages) manager.append(message);
  return manager;
}
