import { createContextManager } from '@ctx/presets';
import { conversation } from './conversation.js';
import type { Figures } from './figures.js';
import { ms } from './timing.js';

/** Messages after which turns are measured. */
const few = 10_000;
const many = 100_000;
/** Messages over which a turn is measured; long enough for dozens of compressions. */
const span = 5_000;

/** In ms of the processor, because a conversation takes minutes. */
const now = () => {
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
  /** When each span begins, and the ms of the dearest compression in each. */
  const starts: number[] = [];
  const dearest: number[] = [];
  for (const [index, message] of messages.entries()) {
    const number = Math.floor(index / span);
    if (index % span === 0) {
      starts.push(now());
      dearest.push(0);
      figures.step(`a conversation of ${index} messages`);
    }
    manager.append(message);
    const isDue = manager.willCompress();
    const start = isDue ? now() : 0;
    await manager.checkAndCompress({ beforeSend: true });
    if (isDue) dearest[number] = Math.max(dearest[number] ?? 0, now() - start);
    manager.request();
  }
  starts.push(now());
  const turnAt = (length: number) => {
    const number = length / span;
    return ((starts[number] ?? 0) - (starts[number - 1] ?? 0)) / span;
  };
  // Two spans, because once in a chapter a compression has more to read.
  const dearestAt = (length: number) => Math.max(...dearest.slice(length / span - 2, length / span));
  const add = (what: string, at: (length: number) => number, most: number) => {
    const [before, after] = [at(few), at(many)];
    const ratio = after / before;
    figures.add(
      `${what}, window 32,000, at 100,000 messages against at 10,000`,
      `${ms(after)} ms against ${ms(before)} ms: ${ratio.toFixed(2)}×`,
      `≤ ${most}×`,
      ratio <= most,
    );
  };
  add('a turn of a long conversation', turnAt, 1.3);
  add('dearest compression of a long conversation', dearestAt, 1.5);
}
