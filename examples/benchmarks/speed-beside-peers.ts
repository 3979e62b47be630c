import type { Cell } from '@ctx/bench/markdown-table';
import { toAiSdk, toLangChain } from '@ctx/bench/peers';
import { conversation } from './conversation.js';
import { approximately, clearToolUses, prune, remembering, trimWith } from './peers.js';
import { progress } from './progress.js';
import { counter, managerWith, strategies } from './subjects.js';
import { ms, timed } from './timing.js';

const full = process.argv.includes('--full');
/**
 * The largest number of messages to measure a peer with, because its time grows with the square: minutes with `--full`, otherwise
 * seconds.
 */
const largest = full
  ? { approximate: 10_000, exact: 3_000, clearing: 3_000 }
  : { approximate: 3_000, exact: 1_000, clearing: 1_000 };

export async function besidePeers(): Promise<Cell[][]> {
  const exact = (text: string) => counter.count(text);
  const rows: Cell[][] = [];
  for (const size of [100, 1_000, 3_000, 10_000, 50_000]) {
    const messages = conversation(size);
    const budget = Math.floor(managerWith(messages).stats().countedTokens / 2);
    const chain = toLangChain(messages);
    const counted = remembering(exact);
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
      await peer(() => clearToolUses(chain, budget), largest.clearing),
      await peer(() => trimWith(approximately)(chain, budget), largest.approximate),
      await peer(() => trimWith(counted)(chain, budget), largest.approximate),
      await peer(() => trimWith(remembering(exact))(chain, budget), largest.approximate),
      await peer(() => trimWith(exact)(chain, budget), largest.exact),
    ]);
    progress(`peers on ${size} messages`);
  }
  return rows;
}
