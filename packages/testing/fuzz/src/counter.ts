import { bpeCounter, type TokenCounter } from '@ctx/core';

/** The counter `faulty` throws or returns something other than a number for some texts. */
const counterNames = ['words', 'letters', 'bytes', 'faulty', 'real'] as const;
export type CounterName = (typeof counterNames)[number];

const real = bpeCounter();

export const counters: Readonly<Record<CounterName, TokenCounter>> = {
  words: { count: (text) => text.split(/\s+/).filter((word) => word !== '').length },
  letters: { count: (text) => Math.ceil(text.length / 4) },
  bytes: { count: (text) => Math.ceil(Buffer.byteLength(text) / 3) },
  faulty: {
    count: (text) => {
      if (text.length % 13 === 0) throw new Error('the counter failed');
      return text.length % 11 === 0 ? Number.NaN : Math.ceil(text.length / 4);
    },
  },
  real,
};

/** Loads the real tokenizer in advance, so that no history waits for it. */
export async function loadCounters(): Promise<void> {
  await real.load?.();
}
