import { createContainer, type Message, summarizerToken } from '@ctx/core';
import { createContextManager, ladder, registerDefaults } from '@ctx/presets';
import { type ChatModel, createSummarizer } from '@ctx/strategy-condense';
import {
  arbitraryTranscript,
  assistant,
  call,
  deepFreeze,
  result,
  transcript,
  user,
  wordCounter,
  words,
} from '@ctx/testing';
import fc from 'fast-check';

const overhead = { message: 0, conversation: 0 };

function managerWith(complete: ChatModel['complete'] | undefined, messages: readonly Message[], config = {}) {
  const container = createContainer();
  const model = complete && { name: 'stub', complete };
  container.register(summarizerToken, { useValue: createSummarizer({ model }) });
  const manager = createContextManager({
    container: registerDefaults(container),
    counter: wordCounter,
    config: { contextWindow: 10_000, pipeline: [...ladder], throttleMs: 0, overhead, ...config },
  });
  for (const message of deepFreeze(messages)) manager.append(message);
  return manager;
}

const conversation = [
  user('Task'),
  ...Array.from({ length: 60 }, (_, index) => [
    ...transcript(call(`c${index}`, 'search', { index }), result(`c${index}`, words(100, `r${index}`))),
    assistant(words(40, `t${index}`)),
  ]).flat(),
  user('Go on'),
];

test('a summary is enough if it works', async () => {
  const said = { text: 'They searched, and found it.', stopReason: 'stop' as const };
  const manager = managerWith(async () => said, conversation);
  const { record } = await manager.compress({ targetTokens: 3000 });
  expect(record?.stages.map(({ strategy }) => strategy)).toEqual(['condense']);
});

test('if the model fails, smart truncation continues', async () => {
  const manager = managerWith(() => Promise.reject(new Error('gone')), conversation);
  const { record } = await manager.compress({ targetTokens: 3000 });
  expect(record?.stages.map(({ strategy, status }) => [strategy, status])).toEqual([
    ['condense', 'failed'],
    ['smart-truncation', 'progress'],
  ]);
});

test('if that is not enough, the window shrinks to 20, 3 and 1', async () => {
  const manager = managerWith(
    () => Promise.reject(new Error('gone')),
    [user('Task'), ...Array.from({ length: 40 }, (_, index) => user(words(200, `q${index}`)))],
  );
  const { record } = await manager.compress({ targetTokens: 500 });
  expect(record?.stages.at(-1)).toMatchObject({ strategy: 'sliding-window', notes: { size: 1 } });
  expect(manager.view().length).toBeLessThanOrEqual(4);
});

test('an overflow is answered without a model, three times at most', async () => {
  let asked = 0;
  const manager = managerWith(async () => {
    asked += 1;
    return { text: 'x', stopReason: 'stop' };
  }, conversation);
  const overflow = { status: 400, message: 'prompt is too long' };
  const statuses = [];
  for (let refusal = 0; refusal < 4; refusal += 1) statuses.push((await manager.recover(overflow)).status);
  expect(asked).toBe(0);
  expect(statuses.at(-1)).toBe('failed');
  expect(statuses[0]).toBe('compressed');
});

test('whatever the conversation and however the model fails, it ends, and the view fits or says why not', async () => {
  const failures: ChatModel['complete'][] = [
    () => Promise.reject(new Error('gone')),
    async () => ({ text: '', stopReason: 'stop' }),
    async () => ({ text: words(3000, 'much'), stopReason: 'stop' }),
    async () => ({ text: 'It went well so far.', stopReason: 'stop' }),
  ];
  await fc.assert(
    fc.asyncProperty(
      arbitraryTranscript,
      fc.constantFrom(...failures),
      fc.integer({ min: 50, max: 500 }),
      async (messages, complete, contextWindow) => {
        const manager = managerWith(complete, messages, { contextWindow, minMessagesToKeep: 1 });
        const error: unknown = await manager
          .checkAndCompress({ beforeSend: true })
          .catch((thrown: unknown) => thrown);
        const { currentTokens } = manager.stats();
        if (error instanceof Error) expect(currentTokens).toBeGreaterThan(contextWindow);
        else expect(currentTokens).toBeLessThanOrEqual(contextWindow);
      },
    ),
    { numRuns: 40 },
  );
});
