import { createContextManager } from '@ctx/presets';
import { middleRemoval } from '@ctx/strategy-middle-removal';
import { oldestRemoval } from '@ctx/strategy-oldest-removal';
import { relevance } from '@ctx/strategy-relevance';
import { conversation, managerWith } from './conversation.js';
import { type Figures, growth, ms, timed } from './timing.js';

/** What is measured. */
const strategies = {
  'middle-removal': middleRemoval(),
  'oldest-removal': oldestRemoval(),
  relevance: relevance(),
};

/** Whether a message costs the same, however many came before it. */
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

/** What a compression of many messages takes, and how that grows. */
export async function planAndApply(figures: Figures): Promise<void> {
  for (const [name, strategy] of Object.entries(strategies)) {
    const compress = async (size: number) => {
      const messages = conversation(size);
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
    const [tenThousand, hundredThousand] = [await compress(10_000), await compress(100_000)];
    const power = growth(tenThousand, hundredThousand);
    // n log n between 10,000 and 100,000 grows with the power 1.097; the rest is room for noise and caches.
    figures.add(
      `${name}: growth from 10,000 to 100,000 messages`,
      `n^${power.toFixed(2)} by the fastest runs (medians ${ms(tenThousand.ms)} and ${ms(hundredThousand.ms)} ms)`,
      'n log n (≤ n^1.3)',
      power <= 1.3,
    );
  }
}

/** Messages after which turns are measured. */
const few = 2_000;
const many = 10_000;
/** Messages over which a turn is measured; long enough for a dozen of compressions. */
const span = 2_000;

/** In ms of the processor, because a conversation takes a while. */
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** A message is appended, checked and sent, again and again, with the default settings and a window of 32,000 tokens. */
export async function longConversation(figures: Figures): Promise<void> {
  const messages = conversation(many);
  const manager = createContextManager({
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    config: { contextWindow: 32_000, throttleMs: 0 },
  });
  /** When each span begins. */
  const starts: number[] = [];
  for (const [index, message] of messages.entries()) {
    if (index % span === 0) {
      starts.push(cpuMs());
      figures.step(`a conversation of ${index} messages`);
    }
    manager.append(message);
    await manager.checkAndCompress({ beforeSend: true });
    manager.request();
  }
  starts.push(cpuMs());
  const turnAt = (length: number) => {
    const number = length / span;
    return ((starts[number] ?? 0) - (starts[number - 1] ?? 0)) / span;
  };
  const [before, after] = [turnAt(few), turnAt(many)];
  figures.add(
    'a turn of a long conversation, window 32,000, at 10,000 messages against at 2,000',
    `${ms(after)} ms against ${ms(before)} ms: ${(after / before).toFixed(2)}×`,
    '≤ 2×',
    after / before <= 2,
  );
}
