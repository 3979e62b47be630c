import { type Priority, priorities } from './message.js';
import type { ViewMessage } from './strategy.js';

/** The unit that may leave the view: an assistant message with tool calls and all their results, or any other message alone. */
export interface Exchange {
  readonly messages: readonly ViewMessage[];
  /** Position of its first and last message in the view. */
  readonly first: number;
  readonly last: number;
  /** Sum over its messages. */
  readonly tokens: number;
  /** The highest of its messages' priorities. */
  readonly priority: Priority;
  /** True where one of its messages is: then it stays. */
  readonly pinned: boolean;
}

/** Groups a view into its exchanges, in order. */
export function exchangesOf(view: readonly ViewMessage[]): Exchange[] {
  const groups = new Map<number, ViewMessage[]>();
  for (const message of view) {
    const group = groups.get(message.exchange);
    if (group === undefined) groups.set(message.exchange, [message]);
    else group.push(message);
  }
  return [...groups.values()].map((messages) => ({
    messages,
    first: (messages[0] as ViewMessage).index,
    last: (messages[messages.length - 1] as ViewMessage).index,
    tokens: messages.reduce((sum, message) => sum + message.tokens, 0),
    priority: highest(messages),
    pinned: messages.some((message) => message.pinned),
  }));
}

function highest(messages: readonly ViewMessage[]): Priority {
  const ranks = messages.map((message) => priorities.indexOf(message.priority));
  return priorities[Math.min(...ranks)] as Priority;
}
