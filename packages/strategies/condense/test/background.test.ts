import { messageText } from '@ctx/core';
import { intro } from '@ctx/excerpt';
import { assistant, call, managerOf, result, transcript, user, words } from '@ctx/testing';
import { containerWith } from './condensing.js';

const work = transcript(
  user('Never touch the public API of the parser.'),
  ...Array.from({ length: 30 }, (_, at) => [
    call(`c${at}`, 'read', { path: `src/part-${at}.ts` }),
    result(`c${at}`, `export const part${at} = read${at}(input);\n${words(60, `line${at}`)}`),
    assistant(words(20, `thought${at}`)),
  ]).flat(),
  user('What is next?'),
);
/** Lets the work in the background go on until something is there, however often it pauses. */
const until = async (isThere: () => boolean) => {
  for (let turn = 0; turn < 100_000 && !isThere(); turn += 1)
    await new Promise((resolve) => setImmediate(resolve));
};

/** A manager whose model answers when the test says so. */
function setUp() {
  const answers: ((text: string) => void)[] = [];
  const model = () => new Promise<string>((answer) => answers.push(answer));
  const container = containerWith({ model, minWindow: 0 });
  const manager = managerOf(work, {
    container,
    contextWindow: 10_000,
    config: {
      background: true,
      pipeline: ['condense', 'sliding-window'],
      trigger: { tokens: 1500 },
      target: { tokens: 1000 },
    },
  });
  return { manager, answers };
}

test('the agent goes on while the model writes, and the summary is put in force with passages', async () => {
  const { manager, answers } = setUp();
  expect((await manager.checkAndCompress({ beforeSend: true })).status).toBe('unchanged');
  await until(() => answers.length > 0);
  expect(manager.view()).toEqual(work);
  manager.append(assistant('I look at part 31 next.'));
  answers[0]?.('They read the parts, one after the other.');
  await until(() => manager.history.length > 0);
  const view = manager.view().map(messageText);
  const summary = view.find((text) => text.startsWith('## Conversation Summary')) ?? '';
  expect(summary).toContain('They read the parts, one after the other.');
  expect(summary).toContain(intro);
  expect(view.at(-1)).toBe('I look at part 31 next.');
  expect(view.join('\n')).toContain('Never touch the public API of the parser.');
  expect(answers).toHaveLength(1);
});
