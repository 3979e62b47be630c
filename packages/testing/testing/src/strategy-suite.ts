import { bpeCounter, type CompressionStrategy, type Config, type Message } from '@ctx/core';
import fc from 'fast-check';
import { arbitraryTranscript } from './arbitraries.js';
import { type Deviation, exceptionsOf } from './deviation.js';
import { and, assistant, call, result, system, transcript, user } from './dsl.js';
import { checkLaws } from './laws.js';
import { words } from './words.js';

const conversations: Record<string, Message[]> = {
  'a single question': transcript(user('why?')),
  'a system prompt alone': transcript(system(words(50))),
  'a call that waits for its result': transcript(user(words(30)), call('a', 'read')),
  'parallel calls': transcript(
    user(words(20)),
    and(assistant('both'), call('a', 'read', { path: 'a' }), call('b', 'read', { path: 'b' })),
    result('a', words(400)),
    result('b', words(400)),
    assistant('done'),
    user('and now?'),
  ),
  'results that the model has not read': transcript(
    user('compare them'),
    assistant(words(300)),
    ...Array.from({ length: 5 }, (_, index) => [
      call(`u${index}`, 'read', { path: `src/file-${index}.ts` }),
      result(`u${index}`, words(300)),
    ]).flat(),
    user('and these two'),
    and(call('x', 'read', { path: 'src/file-0.ts' }), call('y', 'read', { path: 'src/file-1.ts' })),
    and(result('x', words(900)), result('y', words(300))),
  ),
  'a task between others': transcript(
    user(words(40)),
    ...Array.from({ length: 10 }, (_, index) => assistant(`${words(40)} ${index}`)),
    user(`${words(40)} pinned`, { pinned: true }),
    ...Array.from({ length: 10 }, (_, index) => assistant(`${words(40)} ${index}`)),
    user('do this now'),
    ...Array.from({ length: 20 }, (_, index) => [
      call(`t${index}`, 'bash', { command: `make ${index}` }),
      result(`t${index}`, words(80)),
    ]).flat(),
    user('go on'),
  ),
  'nothing but pinned messages': transcript(
    user(words(40), { pinned: true }),
    assistant(words(40), { priority: 'CRITICAL' }),
    user(words(40)),
  ),
  'a long conversation': transcript(
    system('You help.'),
    ...Array.from({ length: 60 }, (_, index) => [
      user(`${words(10)} ${index}?`),
      call(`c${index}`, 'read', { path: `src/file-${index}.ts` }),
      result(`c${index}`, words(80)),
      assistant(words(30)),
    ]).flat(),
    user('what is next?'),
  ),
};

/** Arbitrary conversations. */
const runs = 20;

/** What providers and users also expect of a view. */
const configs: readonly Config[] = [
  {},
  { marker: true },
  { leadingUser: true },
  { leadingUser: true, marker: true, reasoning: 'bound' },
];

/**
 * The conformance suite of a strategy: it checks every law on hand-made and on arbitrary conversations, for targets from 0 to more than
 * the conversation has. Deviations are declared with a reason.
 */
export function testStrategy(
  name: string,
  create: () => CompressionStrategy,
  { deviations = [] }: { readonly deviations?: readonly Deviation[] } = {},
): void {
  const skip = deviations.map((deviation) => deviation.law);

  describe(`${name} keeps the laws of a strategy${exceptionsOf(deviations)}`, () => {
    test('has a name and says what it emits', () => {
      const { name: own, emits } = create();
      expect(own).toMatch(/^[a-z][a-z0-9-]*$/);
      expect(emits.length).toBeGreaterThan(0);
    });

    for (const [title, messages] of Object.entries(conversations)) {
      test(`hold for ${title}`, async () => {
        for (const targetTokens of [0, 20, 200, 5_000, 1_000_000])
          await checkLaws(create(), messages, { targetTokens, skip });
      });
    }

    test('hold for arbitrary conversations', async () => {
      await fc.assert(
        fc.asyncProperty(
          arbitraryTranscript,
          fc.nat({ max: 1_000 }),
          fc.integer({ min: 1, max: 8 }),
          fc.constantFrom(50, 400, 1_000_000_000),
          fc.constantFrom(...configs),
          async (messages, targetTokens, minMessagesToKeep, contextWindow, config) => {
            const options = { targetTokens, minMessagesToKeep, contextWindow, config, skip };
            await checkLaws(create(), messages, options);
          },
        ),
        { numRuns: runs },
      );
    });

    test('hold for arbitrary conversations with a real tokenizer', async () => {
      const counter = bpeCounter();
      await counter.load?.();
      await fc.assert(
        fc.asyncProperty(
          arbitraryTranscript,
          fc.nat({ max: 2_000 }),
          fc.constantFrom(...configs),
          async (messages, targetTokens, config) => {
            await checkLaws(create(), messages, { targetTokens, skip, counter, config });
          },
        ),
        { numRuns: runs / 2 },
      );
    });
  });
}
