import { type Message, scoreMessages, toolCallsOf } from '@ctx/core';

export interface SelectOptions {
  /** The number of messages to keep. It may become a few more, so that calls and their results stay together. */
  readonly count: number;
  /** Messages with at least this score are preferred to newer ones. @default 70 */
  readonly threshold?: number;
}

/**
 * How many messages to keep: 3, but fewer if the window is nearly full or the conversation long, and more if there is room or it is
 * short.
 * @param total number of messages
 * @param usagePercent share of the window in use, 0–100
 */
export function messagesToKeep(
  total: number,
  usagePercent: number,
  { min = 2, max = 5 }: { readonly min?: number; readonly max?: number } = {},
): number {
  const byUsage = usagePercent > 85 ? 2 : usagePercent < 50 ? 5 : 3;
  const keep = total > 50 ? Math.min(byUsage, 2) : total < 10 ? Math.max(byUsage, 4) : byUsage;
  return Math.max(min, Math.min(max, keep));
}

/**
 * The positions of the messages to keep, in order. Picks the last message, then messages with a high score, the highest first, then the
 * newest, until there are `count`. Scores the whole history with its real positions, and keeps a call together with its results.
 */
export function selectMessagesToKeep(
  messages: readonly { readonly message: Message; readonly tokens: number }[],
  { count, threshold = 70 }: SelectOptions,
): number[] {
  const scores = scoreMessages(messages);
  const units = unitsOf(messages.map(({ message }) => message));
  const kept = new Set<number>();
  const keep = (position: number) => {
    for (const one of units.get(position) ?? [position]) kept.add(one);
  };
  if (messages.length > 0 && count > 0) keep(messages.length - 1);
  const important = scores
    .map(({ score }, position) => ({ score, position }))
    .filter(({ score }) => score >= threshold)
    .toSorted((a, b) => b.score - a.score || b.position - a.position);
  for (const { position } of important) if (kept.size < count) keep(position);
  for (let position = messages.length - 1; position >= 0 && kept.size < count; position -= 1) keep(position);
  return [...kept].sort((a, b) => a - b);
}

/** For each message with calls or results, the positions of the messages that must stay together: the calls and their results. */
function unitsOf(messages: readonly Message[]): ReadonlyMap<number, readonly number[]> {
  const units = new Map<number, number[]>();
  let unit: number[] = [];
  for (const [position, message] of messages.entries()) {
    if (message.role !== 'tool') unit = [];
    if (message.role === 'tool' || toolCallsOf(message).length > 0) {
      unit.push(position);
      units.set(position, unit);
    }
  }
  return units;
}
