import { createContainer, type Message, messageText, summarizerToken } from '@ctx/core';
import { assistant, call, managerOf, result, transcript, user, words } from '@ctx/testing';
import fc from 'fast-check';
import { type ChatModel, createSummarizer, register } from '../src/index.js';

/** A model that always gives the same answer. */
const forgetful: ChatModel = {
  name: 'forgetful',
  complete: async () => ({ text: 'They worked on something, and it went on.', stopReason: 'stop' }),
};

function managerWith(model: ChatModel | undefined) {
  const container = createContainer();
  container.register(summarizerToken, { useValue: createSummarizer(model === undefined ? {} : { model }) });
  register(container);
  return managerOf([], {
    container,
    contextWindow: 100_000,
    config: { options: { condense: { keep: { mode: 'fresh' }, maxSummaryTokens: 4000 } } },
  });
}

/** A round of work: an instruction, a changed file, and enough talk for a summary. */
function round(number: number, instruction: string): Message[] {
  return transcript(
    user(instruction),
    call(`w${number}`, 'write', { path: `src/part-${number}.ts`, content: words(40, `code${number}`) }),
    result(`w${number}`, 'written'),
    ...Array.from({ length: 8 }, (_, index) => assistant(words(60, `talk${number}x${index}`))),
  );
}

const summaryOf = (messages: readonly Message[]) =>
  messageText(messages.find((message) => message.summary === true) as Message);

describe.each<[string, ChatModel | undefined]>([
  ['a model that forgets everything', forgetful],
  ['extraction', undefined],
])('ten condensings by %s', (_how, model) => {
  test('keep every instruction and every changed file of the first', async () => {
    const instructions = fc.uniqueArray(fc.lorem({ maxCount: 9, mode: 'words' }), {
      minLength: 10,
      maxLength: 10,
    });
    await fc.assert(
      fc.asyncProperty(instructions, async (asked) => {
        const manager = managerWith(model);
        for (const [number, instruction] of asked.entries()) {
          for (const message of round(number, `Please always ${instruction} everywhere.`))
            manager.append(message);
          await manager.compress({ strategy: 'condense', targetTokens: 200 });
        }
        manager.append(user('and now?'));
        await manager.compress({ strategy: 'condense', targetTokens: 200 });
        const summaries = manager.view().filter((message) => message.summary === true);
        expect(summaries).toHaveLength(1);
        const text = summaryOf(manager.view());
        for (const [number, instruction] of asked.slice(0, -1).entries()) {
          expect(text).toContain(`Please always ${instruction} everywhere.`);
          expect(text).toContain(`src/part-${number}.ts`);
        }
      }),
      { numRuns: 5 },
    );
  });

  test('do not make the summary grow without limit', async () => {
    const manager = managerWith(model);
    const sizes: number[] = [];
    for (let number = 0; number < 30; number += 1) {
      for (const message of round(number % 3, 'Please always use tabs.')) manager.append(message);
      await manager.compress({ strategy: 'condense', targetTokens: 200 });
      sizes.push(manager.stats().countedTokens);
    }
    expect(Math.max(...sizes)).toBeLessThan(4500);
  });
});
