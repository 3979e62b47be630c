// Measures what it costs to clear old tool results before every send: replays sessions with several limits for the tokens freed at once.
// Start: node --import tsx examples/benchmarks/before-send.ts path/to/session.jsonl …

import { basename } from 'node:path';
import { CachedCost, loadCounter, noOverhead, totalTokens } from '@ctx/bench';
import { markdownTable } from '@ctx/bench/markdown-table';
import type { Message } from '@ctx/core';
import { createContextManager } from '@ctx/presets';
import { readSession } from '@ctx/sessions';

const tokensOf = await loadCounter();
/** Tokens that must be freed at once; without a number nothing is done before a send. */
const limits = [undefined, 1, 2_000, 5_000, 10_000, 20_000, 40_000];

async function replay(messages: readonly Message[], atLeast: number | undefined) {
  let now = 0;
  const manager = createContextManager({
    now: () => now,
    config: {
      profile: 'classic',
      // So large that only the work before a send changes the view.
      contextWindow: 100_000_000,
      overhead: noOverhead,
      throttleMs: 0,
      beforeSend: atLeast !== undefined && { pipeline: ['tool-results'], atLeast },
    },
  });
  const cost = new CachedCost(tokensOf);
  let [sends, rewrites, sent, ms] = [0, 0, 0, 0];
  for (const message of messages) {
    now = Math.max(now, message.createdAt ?? 0);
    if (message.role === 'assistant') {
      const start = performance.now();
      await manager.checkAndCompress({ beforeSend: true });
      ms += performance.now() - start;
      const view = manager.view();
      sends += 1;
      sent += totalTokens(view, tokensOf);
      if (!cost.add(view)) rewrites += 1;
    }
    manager.append(message);
  }
  return { sends, rewrites, sent, cost: cost.total, ms: ms / Math.max(1, sends) };
}

for (const path of process.argv.slice(2)) {
  const { messages } = await readSession(path);
  const rows = [];
  const whole = await replay(messages, undefined);
  for (const limit of limits) {
    const { sends, rewrites, sent, cost, ms } = await replay(messages, limit);
    const share = (part: number, of: number) => (part / of).toFixed(2);
    const name = limit === undefined ? 'nothing' : `${limit.toLocaleString('en-US')} tokens`;
    rows.push([
      name,
      `${rewrites} of ${sends}`,
      share(sent, whole.sent),
      share(cost, whole.cost),
      ms.toFixed(2),
    ]);
  }
  console.log(
    `${basename(path)}\n\n${markdownTable(['freed at once', 'prefix rewritten', 'tokens sent', 'cost', 'ms a send'], rows)}\n`,
  );
}
