import { memoryArchive } from '@ctx/archive';
import { messageText } from '@ctx/core';
import { createContextManager } from '@ctx/presets';
import { assistant, call, result, system, user, wordCounter } from '@ctx/testing';

/** A long conversation of an agent, and where each of its results stands. */
async function long(strategy: string, memory: 'all' | 'archive') {
  const numbers = new Map<string, number>();
  const manager = createContextManager({
    archive: memoryArchive(),
    memory,
    counter: wordCounter,
    now: () => 5,
    config: { contextWindow: 600, minMessagesToKeep: 1, pipeline: [strategy] },
  });
  manager.append(system('You help.'));
  manager.append(user('Never touch the zebra module.'));
  for (let number = 0; number < 80; number += 1) {
    manager.append(call(`c${number}`, 'read', { path: `src/file${number}.ts` }));
    const lines = Array.from(
      { length: 12 },
      (_, line) => `export const name${number}_${line} = value${number};`,
    );
    manager.append(result(`c${number}`, lines.join('\n')));
    numbers.set(`src/file${number}.ts`, manager.transcript.at(-1)?.index as number);
    manager.append(assistant(`The file ${number} has names.`));
    manager.append(user(`Go on with name${number}_3.`));
    await manager.checkAndCompress();
    await manager.archived();
  }
  return { manager, numbers };
}

test.each(['relevance', 'condense'])(
  '%s works on what is in memory, and its handles are right',
  async (strategy) => {
    const { manager, numbers } = await long(strategy, 'archive');
    expect(manager.transcript.length).toBeLessThan(240);
    expect(manager.stats().currentTokens).toBeLessThanOrEqual(600);
    const texts = manager.view().map(messageText).join('\n');
    const handles = [...texts.matchAll(/^## read (src\/file\d+\.ts).* #m(\d+)$/gm)];
    for (const [, path = '', number] of handles)
      expect([path, Number(number)]).toEqual([path, (numbers.get(path) as number) + 1]);
    if (strategy === 'relevance') expect(handles.length).toBeGreaterThan(0);
    // What a summary said of messages that have left memory is not lost with them.
    const whole = (await long(strategy, 'all')).manager.view().map(messageText).join('\n');
    const words = 'Never touch the zebra module.';
    expect(texts.includes(words)).toBe(whole.includes(words));
  },
);
