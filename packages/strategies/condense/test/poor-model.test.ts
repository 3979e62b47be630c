import { messageText } from '@ctx/core';
import { assistant, managerOf, user, words } from '@ctx/testing';
import type { ChatModel } from '../src/index.js';
import { containerWith } from './condensing.js';

const early = [
  'Always answer in German.',
  'Never push to main.',
  'Use tabs, not spaces.',
  'Keep the public interface of the parser as it is.',
  'Do not add dependencies before I agree.',
  'All dates are in UTC.',
  'Commit messages must be in English.',
  '不要修改 legacy 目录',
  'Run the linter before each commit.',
  'Prefer small functions.',
];

/** Models that say almost nothing, or fill their length with nothing. */
const poor: readonly ChatModel[] = [
  {
    name: 'terse',
    complete: async () => ({ text: 'They worked on it, and it went on.', stopReason: 'stop' }),
  },
  {
    name: 'wordy',
    complete: async ({ maxTokens }) => ({
      text: Array.from({ length: maxTokens - 20 }, (_, index) => `so${index}`).join(' '),
      stopReason: 'stop',
    }),
  },
];

test.each(poor.map((model) => [model.name, model] as const))(
  'every early instruction survives ten compressions by a %s model with far more requests and questions than room',
  async (_name, model) => {
    const manager = managerOf([], { container: containerWith({ model }), contextWindow: 12_000 });
    for (const instruction of early) {
      manager.append(user(instruction));
      manager.append(assistant(words(20, 'fine')));
    }
    for (let round = 0; round < 10; round += 1) {
      for (let step = 0; step < 30; step += 1) {
        const number = round * 30 + step;
        manager.append(user(`Fix the failed database test number ${number} in src/part-${number}.ts now.`));
        manager.append(assistant(words(40, `work${number}`)));
        manager.append(
          user(`Why did test ${number} fail with TypeScript, and on which port does the API listen?`),
        );
        manager.append(assistant(words(40, `answer${number}`)));
      }
      const { status } = await manager.compress({ strategy: 'condense', targetTokens: 1600 });
      expect(status).toBe('compressed');
    }
    const shown = manager.view().map(messageText).join('\n');
    expect(early.filter((instruction) => shown.includes(instruction))).toEqual(early);
    expect(manager.history).toHaveLength(10);
  },
);
