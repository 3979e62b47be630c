import { type ChatMessage, openaiCodec } from '@ctx/codec-openai';
import type { ContextManager } from '@ctx/core';
import { words } from '@ctx/testing';
import { Conversations } from '../src/index.js';
import { assistant, called, user } from './chat.js';

const request = { provider: 'openai', model: 'gpt-5', scope: 'me' };
const overflow = (stated?: number) => {
  const message =
    stated === undefined ? 'Too long.' : `This model's maximum context length is ${stated} tokens.`;
  return { status: 400, error: { code: 'context_length_exceeded', message } };
};
const history = [
  user('Read the files.'),
  ...Array.from({ length: 12 }, (_, at) => called(`c${at}`, 'read', words(150, `file${at}`))).flat(),
];
const further = [assistant('Read.'), user('And?')];

function setUp(contextWindow: number) {
  const managers: ContextManager[] = [];
  const onManager = (manager: ContextManager) => managers.push(manager);
  return { of: new Conversations(openaiCodec, { config: { contextWindow }, onManager }), managers };
}

test.each([undefined, 3_000])(
  'a request that is refused twice at once is made smaller once, and both times the same is sent (%p)',
  async (stated) => {
    const alone = await setUp(4_000).of.turn(history, request);
    await alone.prepare();
    const due = await alone.recovered(overflow(stated));
    expect(due).toBeDefined();

    const { of } = setUp(4_000);
    const both = await Promise.all([1, 2, 3].map(() => of.turn(structuredClone(history), request)));
    await Promise.all(both.map((turn) => turn.prepare()));
    const [first, ...others] = both.map((turn) => () => turn.recovered(overflow(stated)));
    // The first is answered before the others have heard that theirs is refused.
    const sent = [await first?.(), ...(await Promise.all(others.map((next) => next())))];
    expect(sent).toEqual([due, due, due]);
  },
);

test('the same request twice sends the same, however full its window is', async () => {
  const { of, managers } = setUp(500);
  const sent: string[] = [];
  for (let time = 0; time < 3; time += 1) {
    const turn = await of.turn(structuredClone(history), request);
    sent.push(JSON.stringify(await turn.prepare()));
    await turn.answered({ inputTokens: 600 });
  }
  expect(new Set(sent).size).toBe(1);
  expect(managers[0]?.stats().compressions).toBe(1);
});

test('and so it does where another request takes the conversation further meanwhile', async () => {
  const { of } = setUp(500);
  const both = await Promise.all([1, 2].map(() => of.turn(structuredClone(history), request)));
  const later = await of.turn([...structuredClone(history), ...further], request);
  const sent = await Promise.all([later, ...both].map(async (turn) => JSON.stringify(await turn.prepare())));
  expect(sent[1]).toBe(sent[2]);
  expect(sent[0]).toContain('And?');
  expect(of.size).toBe(2);
});

test('and so it does where a longer request has departed meanwhile', async () => {
  let decide = () => {};
  const decided = new Promise<void>((resolve) => {
    decide = resolve;
  });
  const of = new Conversations(openaiCodec, {
    config: { contextWindow: 500 },
    beforeCompress: async () => {
      await decided;
      return undefined;
    },
  });
  const ask = (more: readonly ChatMessage[] = []) => of.turn([...structuredClone(history), ...more], request);
  const first = await ask();
  // The conversation is not free until it is decided what is sent.
  const sending = first.prepare();
  const departing = await ask(further);
  const second = await ask();
  expect(second.conversation).toBe(first.conversation);
  expect(departing.conversation).not.toBe(first.conversation);
  decide();
  expect(await second.prepare()).toEqual(await sending);
});

test('other tools make it another request', async () => {
  const { of, managers } = setUp(4_000);
  await (await of.turn(history, request)).prepare();
  const before = managers[0]?.stats().compressions as number;
  const tools = [{ type: 'function', function: { name: 'read', description: words(1_500) } }];
  await (await of.turn(structuredClone(history), { ...request, tools })).prepare();
  expect(managers[0]?.stats().compressions).toBe(before + 1);
});

test('what was sent as it came, and refused, is made smaller', async () => {
  const turn = await setUp(100_000).of.turn(history, request);
  const smaller = await turn.recovered(overflow());
  expect(JSON.stringify(smaller).length).toBeLessThan(JSON.stringify(history).length);
});
