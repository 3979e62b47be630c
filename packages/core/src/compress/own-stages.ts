import type { Steps } from '../base/slices.js';
import { withoutEncoded } from '../kit/encoded.js';
import { type Message, partsOf, partText } from '../transcript/message.js';
import type { Edit } from '../view/edit.js';
import { exchangesInSteps } from '../view/exchange.js';
import {
  type CompressionStrategy,
  defineStrategy,
  type Plan,
  type PlanContext,
  type ViewMessage,
} from '../view/strategy.js';

/** The stages of core itself; they run before those of the pipeline, and are not reported if they find nothing. */
export function ownStages(recallTool: string | undefined): CompressionStrategy[] {
  return recallTool === undefined ? [encodedStage] : [recalledStage(recallTool), encodedStage];
}

/** What a person has said stays as it is as long as it must stay. */
const isHeld = (message: Message, isPinned: boolean) =>
  message.role === 'system' || (isPinned && message.role !== 'tool');

/** Removes base64 from texts before anything else leaves, also from results that the model has not read: it can't read that. */
export const encodedStage = defineStrategy({
  name: 'encoded',
  emits: ['replace'],
  partial: true,
  plan: ({ view, inSlices }) => inSlices(withoutBase64(view)),
});

function* withoutBase64(view: PlanContext['view']): Steps<Plan> {
  const edits: Edit[] = [];
  for (const { id, message, pinned } of view) {
    if (isHeld(message, pinned)) continue;
    for (const [part, one] of partsOf(message).entries()) {
      yield;
      const isList =
        one.type === 'tool-result' && typeof one.output !== 'string' && one.output.type === 'content';
      const whole = isList ? undefined : partText(one);
      const text = whole && withoutEncoded(whole);
      if (text !== undefined && text !== whole)
        edits.push({ type: 'replace', message: id, part, text, reason: 'base64' });
    }
  }
  return { edits };
}

/** What a tool recalled is archived, so its results are removed first. */
function recalledStage(tool: string): CompressionStrategy {
  return defineStrategy({
    name: 'recalled',
    emits: ['drop', 'drop-calls'],
    partial: true,
    plan: async ({ view, inSlices }) => {
      const exchanges = await inSlices(exchangesInSteps(view));
      return { edits: exchanges.flatMap(({ messages }) => editsFor(messages, tool)) };
    },
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
