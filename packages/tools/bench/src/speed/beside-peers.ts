import type { Cell } from '../markdown-table.js';
import { toAiSdk, toLangChain } from '../peers.js';
import { remembered } from '../remembered.js';
import { conversation } from './conversation.js';
import type { Figures } from './figures.js';
import { approximately, clearToolUses, prune, trimWith } from './peer-methods.js';
import { counter, managerWith, strategies } from './subjects.js';
import { ms, timed } from './timing.js';

/** The largest number of messages to measure a peer with, because its time grows with the square. */
const most = { approximate: 3_000, exact: 1_000, clearing: 1_000 };

/** The columns of the table. */
export const peerColumns: readonly string[] = [
  'messages',
  'ctx middle-removal',
  'ctx oldest-removal',
  'ctx, counting included',
  'AI SDK pruneMessages',
  'LangChain ClearToolUsesEdit, length / 4',
  'LangChain trimMessages, length / 4',
  'LangChain trimMessages, gpt-tokenizer, counted before',
  'LangChain trimMessages, gpt-tokenizer, each text counted once',
  'LangChain trimMessages, gpt-tokenizer, counted each time it asks',
];

/** A row for each length of a conversation, in ms. */
export async function besidePeers(figures: Figures): Promise<Cell[][]> {
  const exact = (text: string) => counter.count(text);
  const rows: Cell[][] = [];
  for (const size of [100, 1_000, 3_000, 10_000, 50_000]) {
    const messages = conversation(size);
    const budget = Math.floor(managerWith(messages).stats().countedTokens / 2);
    const chain = toLangChain(messages);
    const counted = remembered(exact, new Map());
    for (const { content } of chain) counted(String(content));
    const sdk = toAiSdk(messages);
    const ours = async (strategy: keyof typeof strategies) => {
      const { ms: time } = await timed(
        () => managerWith(messages),
        (manager) => manager.compress({ strategy: strategies[strategy], targetTokens: budget }),
      );
      return ms(time);
    };
    const fromNothing = () =>
      timed(
        () => {},
        () =>
          managerWith(messages.map((message) => ({ ...message }))).compress({
            strategy: strategies['oldest-removal'],
            targetTokens: budget,
          }),
        { budgetMs: 3_000, maxRuns: 5 },
      );
    const peer = async (run: () => unknown, upTo = Number.POSITIVE_INFINITY) =>
      size > upTo ? '–' : ms((await timed(() => {}, run, { budgetMs: 1 })).ms);
    rows.push([
      size,
      await ours('middle-removal'),
      await ours('oldest-removal'),
      ms((await fromNothing()).ms),
      await peer(() => prune(sdk)),
      await peer(() => clearToolUses(chain, budget), most.clearing),
      await peer(() => trimWith(approximately)(chain, budget), most.approximate),
      await peer(() => trimWith(counted)(chain, budget), most.approximate),
      await peer(() => trimWith(remembered(exact, new Map()))(chain, budget), most.approximate),
      await peer(() => trimWith(exact)(chain, budget), most.exact),
    ]);
    figures.step(`peers on ${size} messages`);
  }
  return rows;
}
