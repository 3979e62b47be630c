import { toolResults } from '@ctx/strategy-tool-results';
import { conversation } from './conversation.js';
import type { Figures } from './figures.js';
import { managerWith, strategies } from './subjects.js';
import { growth, ms, timed } from './timing.js';

/** Ms for 10,000 messages. */
const goals = { 'middle-removal': 20, 'oldest-removal': 20, relevance: 250 };

export async function appendAndCheck(figures: Figures): Promise<void> {
  const rounds = 500;
  const perMessage = async (size: number) => {
    const messages = conversation(size);
    const added = conversation(size + 3 * rounds).slice(size, size + rounds);
    const timing = await timed(
      () => managerWith(messages),
      async (manager) => {
        for (const message of added) await manager.add({ role: 'user', content: JSON.stringify(message) });
      },
    );
    return timing.ms / rounds;
  };
  await perMessage(10);
  const [few, many] = [await perMessage(10), await perMessage(10_000)];
  const ratio = many / few;
  figures.add(
    'append + checkAndCompress below the trigger, after 10,000 messages against after 10',
    `${(many * 1000).toFixed(0)} µs against ${(few * 1000).toFixed(0)} µs: ${ratio.toFixed(2)}×`,
    '< 2×',
    ratio < 2,
  );
}

export async function planAndApply(figures: Figures): Promise<void> {
  for (const [name, strategy] of Object.entries(strategies)) {
    const goal = goals[name as keyof typeof goals];
    const compress = async (size: number) => {
      const messages = conversation(size);
      managerWith(messages);
      const timing = await timed(
        () => {
          const manager = managerWith(messages);
          return { manager, targetTokens: Math.floor(manager.stats().currentTokens / 2) };
        },
        ({ manager, targetTokens }) => manager.compress({ strategy, targetTokens }),
        { budgetMs: 6_000 },
      );
      figures.step(`${name} on ${size} messages`);
      return { size, ...timing };
    };
    const points = [];
    for (const size of [1_000, 10_000, 30_000, 100_000]) points.push(await compress(size));
    const [, tenThousand, , hundredThousand] = points;
    if (tenThousand === undefined || hundredThousand === undefined) continue;
    figures.below(`${name}: plan, check and apply, 10,000 messages to half`, tenThousand.ms, goal);
    const power = growth(tenThousand, hundredThousand);
    // n log n between 10,000 and 100,000 grows with the power 1.097; the rest is room for noise and caches.
    figures.add(
      `${name}: growth from 10,000 to 100,000 messages`,
      `n^${power.toFixed(2)} by the fastest runs (median ${ms(hundredThousand.ms)} ms)`,
      'n log n (≤ n^1.3)',
      power <= 1.3,
    );
  }
}

export async function toolResultsOverTenThousand(figures: Figures): Promise<void> {
  const strategy = toolResults({ reads: { keep: 1 } });
  let cleared = 0;
  const timing = await timed(
    () => managerWith(conversation(10_000)),
    async (manager) => {
      const { record } = await manager.compress({ strategy, targetTokens: 0 });
      cleared = record?.edits.length ?? 0;
    },
    { budgetMs: 4_000 },
  );
  figures.step('tool-results');
  figures.add(
    'tool-results: plan, check and apply over 10,000 messages',
    `${ms(timing.ms)} ms, ${cleared} results cleared`,
    '< 50 ms',
    timing.ms < 50,
  );
}
