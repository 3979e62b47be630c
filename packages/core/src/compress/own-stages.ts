import type { Steps } from '../base/slices.js';
import { withoutEncoded } from '../kit/encoded.js';
import { type Message, type Part, partsOf, partText, toolCallsOf } from '../transcript/message.js';
import type { Edit } from '../view/edit.js';
import { exchangesOf } from '../view/exchange.js';
import {
  type CompressionStrategy,
  defineStrategy,
  type PlanContext,
  type ViewMessage,
} from '../view/strategy.js';
import type { View } from '../view/view.js';
import type { ViewEntry } from '../view/view-entry.js';

/** The part's text without base64; undefined if it has none, or is not a text alone. */
function shorter(part: Part): string | undefined {
  if (part.type === 'tool-result' && typeof part.output !== 'string' && part.output.type === 'content')
    return undefined;
  if (part.type !== 'text' && part.type !== 'tool-result') return undefined;
  const text = partText(part) ?? '';
  const rest = withoutEncoded(text);
  return rest === text ? undefined : rest;
}

/** UTF-16 units that are searched in a step. */
const stepUnits = 200_000;

/** The stages of core itself that have something to do in a view; they run before those of the pipeline. */
export function* ownStages({ entries }: View, recallTool: string | undefined): Steps<CompressionStrategy[]> {
  const isRecalled = entries.some(({ message }) =>
    toolCallsOf(message).some(({ toolName }) => toolName === recallTool),
  );
  const recalled = recallTool === undefined || !isRecalled ? [] : [recalledStage(recallTool)];
  return (yield* hasEncoded(entries)) ? [...recalled, encodedStage] : recalled;
}

function* hasEncoded(entries: readonly ViewEntry[]): Steps<boolean> {
  let searched = 0;
  for (const { message } of entries) {
    for (const part of message.role === 'system' ? [] : partsOf(message)) {
      if (shorter(part) !== undefined) return true;
      searched += (partText(part) ?? '').length;
    }
    if (searched < stepUnits) continue;
    searched = 0;
    yield;
  }
  return false;
}

/** What a person has said stays as it is as long as it must stay. */
const isHeld = (message: Message, isPinned: boolean) =>
  message.role === 'system' || (isPinned && message.role !== 'tool');

/** Removes base64 from texts before anything else leaves, also from results that the model has not read: it can't read that. */
export const encodedStage = defineStrategy({
  name: 'encoded',
  emits: ['replace'],
  partial: true,
  plan: ({ view }: PlanContext) => ({
    edits: view.flatMap(({ id, message, pinned }) =>
      isHeld(message, pinned)
        ? []
        : partsOf(message).flatMap((part, index) => {
            const text = shorter(part);
            return text === undefined
              ? []
              : [{ type: 'replace' as const, message: id, part: index, text, reason: 'base64' }];
          }),
    ),
  }),
});

/** What a tool recalled is archived, so its results are removed first. */
function recalledStage(tool: string): CompressionStrategy {
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
