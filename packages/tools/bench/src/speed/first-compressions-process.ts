// Compresses a long conversation twice with the default settings, in a process of its own, and prints what it took as JSON.
// Start: node --expose-gc first-compressions-process.js <messages|checked|tokens> <number> [session...]
// With `checked` messages are checked before each answer, as by an agent; a fifth of the conversation is the target then, as by default.

import { writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { bpeCounter, type Message, MessageCounter } from '@ctx/core';
import { createContextManager } from '@ctx/presets';
import { conversation } from './conversation.js';
import { lengthOf, longSession } from './long-session.js';
import { idleMs, timedWithPause } from './timing.js';

export interface FirstCompressions {
  readonly messages: number;
  readonly tokens: number;
  readonly characters: number;
  /** Ms of a compression to half of the tokens, or a fifth if it was checked, with all texts counted before. */
  readonly first: number;
  /** Ms of another one to the same size, after the conversation has grown by a twentieth. */
  readonly second: number;
  /** The longest time in which nothing else could run, in ms. */
  readonly firstPause: number;
}

/** The share of its messages by which a conversation grows between two compressions. */
const grownBy = 0.05;
/** The target of a conversation that is checked as it grows. Tokens. */
const leastChecked = 15_000;
/** Between these lines, --trace-gc says how large the heap was. The second one says by how many bytes the buffers beside it grew at most. */
async function betweenLines<Result>(task: () => Promise<Result>): Promise<Result> {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  writeSync(1, `begin ${heapUsed}\n`);
  let most = arrayBuffers;
  const watching = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers);
  }, 1);
  const result = await task();
  clearInterval(watching);
  writeSync(1, `end ${most - arrayBuffers}\n`);
  return result;
}

async function main([unit, number, ...sessions]: readonly string[]): Promise<void> {
  const isChecked = unit === 'checked';
  const counter = bpeCounter();
  const texts = new MessageCounter(counter);
  await texts.load();
  const size = Number(number);
  const tokensOf = (message: Message) => texts.message(message).tokens;
  const messages = unit === 'tokens' ? await longSession(size, { tokensOf, sessions }) : conversation(size);
  // Texts counted before need no time; what is made by the compression is counted as a manager does it.
  const counted = new Set<string>();
  const manager = createContextManager({
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    counter: {
      count(text) {
        counted.add(text);
        return texts.text(text);
      },
      *countInSteps(text) {
        if (counted.has(text) || counter.countInSteps === undefined) return this.count(text);
        return yield* counter.countInSteps(text);
      },
    },
    config: {
      contextWindow: 1_000_000_000,
      throttleMs: 0,
      ...(isChecked && { trigger: { fraction: 1 }, target: { tokens: leastChecked } }),
    },
  });
  for (const message of messages) {
    if (isChecked && message.role === 'assistant') await manager.checkAndCompress({ beforeSend: true });
    manager.append(message);
  }
  const { currentTokens } = manager.stats();
  const targetTokens = Math.floor(currentTokens / (isChecked ? 5 : 2));
  globalThis.gc?.();
  await pause(idleMs);
  const first = await betweenLines(() => timedWithPause(() => manager.compress({ targetTokens })));
  for (const message of conversation(Math.ceil(messages.length * grownBy)))
    if (message.role !== 'system') manager.append(message);
  manager.stats();
  const second = await timedWithPause(() => manager.compress({ targetTokens }));
  const result: FirstCompressions = {
    messages: messages.length,
    tokens: currentTokens,
    characters: lengthOf(messages),
    first: first.ms,
    second: second.ms,
    firstPause: first.pauseMs,
  };
  writeSync(1, `${JSON.stringify(result)}\n`);
}

await main(process.argv.slice(2));
