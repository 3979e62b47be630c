import type { Edit } from '@ctx/core';
import {
  defineStrategy,
  type Exchange,
  exchangesOf,
  filesOf,
  type Message,
  type Part,
  type PlanContext,
  partsOf,
  toolCallsOf,
} from '@ctx/core';
import type { FileTool } from '@ctx/core/kit';
import type { Middle } from './middle.js';

const reason = 'a tool call in the middle of the conversation';

/**
 * Drops the tool calls of the middle together with their results, except file reads, and keeps text. Drops a whole exchange if it has
 * nothing else.
 */
export function toolFilter(middleOf: (context: PlanContext) => Middle, readTools: readonly FileTool[]) {
  return defineStrategy({
    name: 'middle-tool-filter',
    emits: ['drop', 'drop-calls'],
    plan(context) {
      const middle = middleOf(context);
      const edits: (Edit<'drop'> | Edit<'drop-calls'>)[] = [];
      let left = context.view.length;
      let toolCallsRemoved = 0;
      for (const exchange of exchangesOf(context.view)) {
        if (exchange.pinned || !middle.holds(exchange)) continue;
        const filtered = filter(exchange, readTools);
        if (filtered === undefined || left - filtered.messages < context.minMessagesToKeep) continue;
        left -= filtered.messages;
        toolCallsRemoved += filtered.calls;
        edits.push(filtered.edit);
      }
      return { edits, notes: { toolCallsRemoved } };
    },
  });
}

/**
 * The edit that drops all calls of an exchange except file reads, with the number of calls and messages that are removed. Undefined if there
 * are none, or if a file read would have to leave with them.
 */
function filter(exchange: Exchange, readTools: readonly FileTool[]) {
  const calls = exchange.messages.flatMap(({ message }) => toolCallsOf(message));
  const gone = calls.filter((call) => filesOf(call, readTools).length === 0);
  if (gone.length === 0) return undefined;
  const ids = gone.map((call) => call.toolCallId);
  const staysSound = exchange.messages.every(({ message }) => isSound(message, ids));
  if (!staysSound && gone.length < calls.length) return undefined;
  const isWhole = !staysSound || (gone.length === calls.length && !speaks(exchange));
  const emptied = exchange.messages.filter(
    ({ message }) => message.role === 'tool' && holdsOnly(message, ids),
  );
  return {
    edit: isWhole ? dropped(exchange) : parted(exchange, ids),
    calls: gone.length,
    messages: isWhole ? exchange.messages.length : emptied.length,
  };
}

function holdsOnly(message: Message, calls: readonly string[]): boolean {
  return partsOf(message).every((part) => part.type === 'tool-result' && calls.includes(part.toolCallId));
}

function speaks({ messages }: Exchange): boolean {
  return messages.some(
    ({ message }) =>
      message.role === 'assistant' &&
      partsOf(message).some((part) =>
        part.type === 'text' ? part.text.trim() !== '' : part.type !== 'tool-call' && !isThought(part),
      ),
  );
}

/** Whether a part is reasoning. An opaque part may be reasoning that only its provider can read. */
function isThought({ type }: Part): boolean {
  return type === 'reasoning' || type === 'opaque';
}

/** Whether, without these calls, every thought is still followed by part of what followed it, before the next thought begins. */
function isSound(message: Message, calls: readonly string[]): boolean {
  if (message.role !== 'assistant') return true;
  let isParted = false;
  let isThinking = false;
  for (const part of partsOf(message)) {
    if (isThought(part)) {
      if (isParted) return false;
      isThinking = true;
    } else if (part.type === 'tool-call' && calls.includes(part.toolCallId)) {
      isParted ||= isThinking;
    } else {
      isParted = false;
      isThinking = false;
    }
  }
  return !isParted;
}

function dropped({ messages }: Exchange): Edit<'drop'> {
  return { type: 'drop', messages: messages.map(({ id }) => id), reason };
}

function parted({ messages }: Exchange, calls: readonly string[]): Edit<'drop-calls'> {
  const holders = messages.filter(({ message }) =>
    partsOf(message).some(
      (part) => (part.type === 'tool-call' || part.type === 'tool-result') && calls.includes(part.toolCallId),
    ),
  );
  return { type: 'drop-calls', messages: holders.map(({ id }) => id), calls, reason };
}
