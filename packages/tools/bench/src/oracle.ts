import { type Message, toolCallsOf } from '@ctx/core';
import { totalTokens } from './count-tokens.js';
import type { Cut } from './cuts.js';

/** Put before the kept messages if they would not begin with the user. */
export const leadingUser: Message = { role: 'user', content: '[Earlier messages are left out.]' };

/** Messages that stay or leave together: an assistant's message with the results of its calls, or any other message alone. */
type Exchange = readonly Message[];

/** What a method that keeps or drops whole exchanges works with. */
export interface Exchanges {
  readonly exchanges: readonly Exchange[];
  /** Tokens for exchanges. */
  readonly room: number;
  /** The messages to send if these exchanges stay. */
  keep(kept: readonly Exchange[]): readonly Message[];
}

/** The exchanges of messages. The system prompt stays, and takes its share of the budget. */
export function exchangesIn(
  messages: readonly Message[],
  budget: number,
  tokensOf: (message: Message) => number,
): Exchanges {
  const system = messages.filter(({ role }) => role === 'system');
  const exchanges: Message[][] = [];
  let open = new Set<string>();
  for (const message of messages) {
    if (message.role === 'system') continue;
    const last = exchanges.at(-1);
    const answers = message.role === 'tool' && message.content.some(({ toolCallId }) => open.has(toolCallId));
    if (answers && last !== undefined) last.push(message);
    else exchanges.push([message]);
    if (message.role === 'assistant') open = new Set(toolCallsOf(message).map((call) => call.toolCallId));
  }
  return {
    exchanges,
    room: budget - totalTokens(system, tokensOf) - tokensOf(leadingUser),
    keep: (kept) => [...system, ...(kept[0]?.[0]?.role === 'user' ? [] : [leadingUser]), ...kept.flat()],
  };
}

/**
 * Chooses whole exchanges with knowledge of the needed atoms. It greedily takes the exchange with the most atoms per token, also starting
 * from each single exchange, and keeps the best result (Khuller, Moss, Naor 1999). This is an upper bound for methods that keep or drop
 * whole messages.
 */
export function oracle(
  { prefix, needed }: Cut,
  { budget, tokensOf }: { readonly budget: number; tokensOf(message: Message): number },
): readonly Message[] {
  const { exchanges, room, keep } = exchangesIn(prefix, budget, tokensOf);
  const positions = new Map(prefix.map((message, index) => [message, index]));
  const held = new Map<number, number[]>();
  for (const [atom, { contexts }] of needed.entries())
    for (const { message } of contexts) held.set(message, [...(held.get(message) ?? []), atom]);
  const choices = exchanges.map((messages) => ({
    messages,
    tokens: totalTokens(messages, tokensOf),
    atoms: new Set(messages.flatMap((message) => held.get(positions.get(message) as number) ?? [])),
  }));
  const useful = choices.filter(({ atoms }) => atoms.size > 0);

  type Choice = (typeof choices)[number];
  const complete = (first: readonly Choice[]) => {
    const chosen = new Set(first);
    const covered = new Set(first.flatMap(({ atoms }) => [...atoms]));
    let left = room - first.reduce((sum, { tokens }) => sum + tokens, 0);
    for (;;) {
      let best: { choice: Choice; worth: number } | undefined;
      for (const choice of useful) {
        if (chosen.has(choice) || choice.tokens > left) continue;
        let gain = 0;
        for (const atom of choice.atoms) if (!covered.has(atom)) gain += 1;
        const worth = gain / Math.max(1, choice.tokens);
        if (gain > 0 && worth > (best?.worth ?? 0)) best = { choice, worth };
      }
      if (best === undefined) return { chosen, covered: covered.size };
      chosen.add(best.choice);
      left -= best.choice.tokens;
      for (const atom of best.choice.atoms) covered.add(atom);
    }
  };
  const starts = useful.filter(({ tokens }) => tokens <= room).sort((a, b) => b.atoms.size - a.atoms.size);
  const [best] = [[], ...starts.slice(0, 30).map((one) => [one])]
    .map(complete)
    .sort((a, b) => b.covered - a.covered);
  return keep(choices.filter((choice) => best?.chosen.has(choice)).map(({ messages }) => messages));
}
