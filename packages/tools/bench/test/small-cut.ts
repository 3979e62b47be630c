import type { Message } from '@ctx/core';
import { assistant, call, result, system, transcript, user, wordCounter } from '@ctx/testing';
import type { BenchSession, CountTokens, Cut, Recall } from '../src/index.js';
import { cutsOf, recallOf } from '../src/index.js';
import { textOf } from '../src/spoken.js';

/** Counts a token for each word of all text, so that a reader of a test can check the figures. */
export const countWords: CountTokens = Object.assign(
  (message: Message) => wordCounter.count(textOf(message)),
  { text: (text: string) => wordCounter.count(text) },
);

/** The cut between a conversation and the assistant's next messages. A test fails if nothing before the cut is needed. */
export function cutBefore(before: readonly Message[], next: readonly Message[]): Cut {
  const messages = transcript(...before, ...next);
  const share = (before.length + 0.5) / messages.length;
  const [cut] = cutsOf(messages, { tokensOf: countWords, shares: [share], minPrefixTokens: 0 });
  if (cut === undefined || cut.position !== before.length) throw new Error('There is no cut here.');
  return cut;
}

/** Measures in words. Without a budget there is room for everything. */
export function measure(cut: Cut, compressed: readonly Message[], budget = 1_000_000): Recall {
  return recallOf(cut, compressed, { budget, tokensOf: countWords });
}

export function neededOf({ needed }: Cut): string[] {
  return needed.map(({ atom }) => atom);
}

export const sessionOf = (...messages: Message[]): BenchSession => ({
  id: 'one',
  source: 'made',
  model: {},
  messages: transcript(...messages),
});

const linesOf = (file: number) =>
  Array.from(
    { length: 24 },
    (_, line) => `${line + 1}: export const value${file}_${line} = compute${file}Line(${file}${line + 100});`,
  ).join('\n');

/** A session in which an agent reads one file after another, about 700 tokens each, and returns to files that it has read. */
export function codingSession(files = 12): Message[] {
  return transcript(
    system('You are a careful engineer. Keep answers short.'),
    ...Array.from({ length: files }, (_, file) => {
      const earlier = Math.floor(file / 2);
      return [
        user(`Please check part ${file} next, ticket order-${48_210 + file}, and say what it shares.`),
        call(`c${file}`, 'read', { path: `src/part-${file}.ts` }),
        result(`c${file}`, linesOf(file)),
        assistant(
          `Part ${file} calls value${earlier}_3 of src/part-${earlier}.ts again, as order-${48_210 + earlier} wants.`,
        ),
      ];
    }).flat(),
  );
}
