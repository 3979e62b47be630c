import { partsOf } from '../transcript/message.js';
import type { Edit } from '../view/edit.js';
import { exchangesOf } from '../view/exchange.js';
import { type CompressionStrategy, defineStrategy, type ViewMessage } from '../view/strategy.js';

/** The stage that runs before all others: what a tool recalled is archived, so its results are removed first. */
export function recalledStage(tool: string): CompressionStrategy {
  return defineStrategy({
    name: 'recalled',
    emits: ['drop', 'drop-calls'],
    partial: true,
    plan: ({ view }) => ({ edits: exchangesOf(view).flatMap(({ messages }) => editsFor(messages, tool)) }),
  });
}

function editsFor(messages: readonly ViewMessage[], tool: string): Edit[] {
  const touched = messages.filter(({ message }) => callsOf(message, tool).length > 0);
  if (touched.length === 0 || messages.some(({ pinned }) => pinned)) return [];
  const reason = 'the model can recall this again';
  const ids = (some: readonly ViewMessage[]) => some.map(({ id }) => id);
  const saysMore = messages.some(({ message }) =>
    partsOf(message).some((part) =>
      part.type === 'tool-call' || part.type === 'tool-result'
        ? part.toolName !== tool
        : part.type !== 'reasoning' && !(part.type === 'text' && part.text.trim() === ''),
    ),
  );
  if (!saysMore) return [{ type: 'drop', messages: ids(messages), reason }];
  const calls = [...new Set(touched.flatMap(({ message }) => callsOf(message, tool)))];
  return [{ type: 'drop-calls', messages: ids(touched), calls, reason }];
}

/** The ids of the calls of the tool in a message, or of those that its results answer. */
function callsOf(message: ViewMessage['message'], tool: string): string[] {
  return partsOf(message).flatMap((part) =>
    (part.type === 'tool-call' || part.type === 'tool-result') && part.toolName === tool
      ? [part.toolCallId]
      : [],
  );
}
