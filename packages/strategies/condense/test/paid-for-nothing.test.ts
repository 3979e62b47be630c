import { ContextManager } from '@ctx/core';
import { assistant, user, wordCounter, words } from '@ctx/testing';
import type { ChatModel } from '../src/index.js';
import { containerWith } from './condensing.js';

/** A manager whose only stage asks the model, and how often it has asked. */
function managerWith(complete: ChatModel['complete']) {
  let calls = 0;
  const counted: ChatModel = {
    name: 'stub',
    complete: (request) => {
      calls += 1;
      return complete(request);
    },
  };
  const clock = { now: 0 };
  const manager = new ContextManager({
    container: containerWith({ model: counted, minWindow: 0 }),
    counter: wordCounter,
    now: () => clock.now,
    config: { contextWindow: 10_000, pipeline: ['condense'], throttleMs: 0 },
  });
  manager.append(user('Fix the parser.'));
  return { manager, clock, calls: () => calls };
}

/** As an agent sends: an answer and a question of 200 words each, with a check before every send. */
async function send({ manager }: Pick<ReturnType<typeof managerWith>, 'manager'>, times: number) {
  for (let time = 0; time < times; time += 1) {
    manager.append(assistant(words(200, 'said')));
    manager.append(user(words(10, 'more')));
    await manager.checkAndCompress({ beforeSend: true });
  }
}

test.each<[string, ChatModel['complete']]>([
  ['answers nothing', async () => ({ text: '', stopReason: 'stop' })],
  ['cannot be reached', () => Promise.reject(new Error('no route'))],
])(
  'a model that %s is asked three times in 150 sends, and a hint says that it rests',
  async (_what, complete) => {
    const some = managerWith(complete);
    const skipped: unknown[] = [];
    some.manager.on('compression-skip', ({ strategy, reason }) => strategy && skipped.push(reason));
    await send(some, 150);
    expect(some.calls()).toBe(3);
    expect(skipped).toContainEqual(expect.stringMatching(/^cooling down: the last 3 summaries/));
    expect(some.manager.hints).toMatchObject([
      {
        code: 'summaries-fail',
        message: expect.stringMatching(/the last 3 summaries .*(empty|no route).*[^.]\. Use another model/),
      },
    ]);
    expect(some.manager.warnings).toEqual([expect.stringMatching(/No model is asked for summaries/)]);
  },
);

test('after the pause it is asked again, and one good summary ends the matter', async () => {
  let text = '';
  const some = managerWith(async () => ({ text, stopReason: 'stop' }));
  await send(some, 100);
  expect(some.calls()).toBe(3);
  some.clock.now += 60_000;
  await send(some, 10);
  expect(some.calls()).toBe(4);
  text = words(30, 'They worked on the parser');
  some.clock.now += 60_000;
  await send(some, 100);
  expect(some.calls()).toBeGreaterThan(5);
});

test('a pause is in the snapshot', async () => {
  const some = managerWith(async () => ({ text: '', stopReason: 'stop' }));
  await send(some, 100);
  const { modelPause } = JSON.parse(JSON.stringify(some.manager.snapshot()));
  expect(modelPause).toMatchObject({ strikes: 3, openUntil: 60_000 });
});

test('who asks by hand asks the model, pause or not', async () => {
  const some = managerWith(async () => ({ text: '', stopReason: 'stop' }));
  await send(some, 100);
  await some.manager.compress({ strategy: 'condense', targetTokens: 1000 });
  expect(some.calls()).toBe(4);
});
