import {
  type DropCallsEdit,
  type DropEdit,
  defineStrategy,
  type Exchange,
  exchangesOf,
  type FileTool,
  filesOf,
  type Message,
  type PlanContext,
  partsOf,
  toolCallsOf,
} from '@ctx/core';
import type { Middle } from './middle.js';

const reason = 'a tool call in the middle of the conversation';

/**
 * Takes the tool calls of the middle away together with their results, but for file reads, and leaves what was said. An
 * exchange that says nothing besides leaves as a whole.
 */
export function toolFilter(middleOf: (context: PlanContext) => Middle, readTools: readonly FileTool[]) {
  return defineStrategy({
    name: 'middle-tool-filter',
    emits: ['drop', 'drop-calls'],
    plan(context) {
      const middle = middleOf(context);
      const edits: (DropEdit | DropCallsEdit)[] = [];
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

/** How to take the calls that read no file out of an exchange, and how many calls and messages that are. */
function filter(exchange: Exchange, readTools: readonly FileTool[]) {
  const calls = exchange.messages.flatMap(({ message }) => toolCallsOf(message));
  const gone = calls.filter((call) => filesOf(call, readTools).length === 0);
  if (gone.length === 0) return undefined;
  const isWhole = gone.length === calls.length && !speaks(exchange);
  const ids = gone.map((call) => call.toolCallId);
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
        part.type === 'text'
          ? part.text.trim() !== ''
          : part.type !== 'reasoning' && part.type !== 'tool-call',
      ),
  );
}

function dropped({ messages }: Exchange): DropEdit {
  return { type: 'drop', messages: messages.map(({ id }) => id), reason };
}

function parted({ messages }: Exchange, calls: readonly string[]): DropCallsEdit {
  const holders = messages.filter(({ message }) =>
    partsOf(message).some(
      (part) => (part.type === 'tool-call' || part.type === 'tool-result') && calls.includes(part.toolCallId),
    ),
  );
  return { type: 'drop-calls', messages: holders.map(({ id }) => id), calls, reason };
}
