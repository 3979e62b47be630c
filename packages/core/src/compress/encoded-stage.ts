import type { Steps } from '../base/slices.js';
import { withoutEncoded } from '../kit/encoded.js';
import { type Message, type Part, partsOf, partText } from '../transcript/message.js';
import { defineStrategy, type PlanContext } from '../view/strategy.js';
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

/** What a person has said stays as it is as long as it must stay. */
const isHeld = (message: Message, isPinned: boolean) =>
  message.role === 'system' || (isPinned && message.role !== 'tool');

/** UTF-16 units that are searched in a step. */
const stepUnits = 200_000;

/** Whether a view has base64 in its texts. */
export function* hasEncoded(entries: readonly ViewEntry[]): Steps<boolean> {
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
