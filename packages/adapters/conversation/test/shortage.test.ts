import { type ChatMessage, openaiCodec } from '@ctx/codec-openai';
import { words } from '@ctx/testing';
import { Conversations, type Warning } from '../src/index.js';
import { called, user } from './chat.js';

const tools = Array.from({ length: 30 }, (_, at) => ({
  type: 'function',
  function: { name: `tool_${at}`, description: words(at === 7 ? 900 : 200, `t${at}`), parameters: {} },
}));

interface Told {
  readonly contextWindow: number;
  readonly tools?: readonly unknown[];
  readonly refusals?: readonly unknown[];
}

/** What is told of a conversation whose requests a provider refuses. */
async function toldOf(messages: ChatMessage[], { contextWindow, tools: offered = [], refusals = [] }: Told) {
  const told: Warning[] = [];
  const onWarning = (one: Warning) => told.push(one);
  const of = new Conversations(openaiCodec, { config: { contextWindow }, onWarning });
  for (let times = 0; times < 2; times += 1) {
    const request = { provider: 'openai', model: 'gpt-5', tools: offered };
    const turn = await of.turn(structuredClone(messages), request);
    await turn.prepare();
    for (const error of refusals) await turn.recovered(error);
  }
  return told;
}

test('tools that fill the window are named once, with their tokens', async () => {
  const told = await toldOf([user('hi')], { contextWindow: 5_000, tools });
  const about = told.filter(({ code }) => code === 'tools-large');
  expect(about).toHaveLength(1);
  expect(about[0]?.message).toMatch(
    /The 30 tools take about [\d,]+ of its 5,000 tokens \(the largest: tool_7 [\d,]+/,
  );
});

test('a cut of what the model has not read is told once, with what was cut', async () => {
  const messages = [user('build it'), ...called('a', 'bash', words(9_000, 'log'))];
  const told = await toldOf(messages, { contextWindow: 4_000 });
  const about = told.filter(({ code }) => code === 'unread-cut');
  expect(about).toHaveLength(1);
  expect(about[0]?.message).toMatch(
    /window of 4,000 tokens: the result of bash from [\d,]+ to [\d,]+ characters/,
  );
});

test('a window with too little room for two results is told', async () => {
  const system: ChatMessage = { role: 'system', content: words(2_000, 's') };
  const messages = [system, user('go'), ...called('a', 'read', words(2_700, 'f'))];
  const told = await toldOf(messages, { contextWindow: 4_500 });
  expect(told.map(({ code }) => code)).toContain('window-small');
});

test('a refused request that can not be made smaller says why', async () => {
  const refusals = [{ status: 413, message: 'Payload too large' }];
  const told = await toldOf([user('hi')], { contextWindow: 5_000, refusals });
  expect(told.map(({ code }) => code)).toEqual(['recover-failed']);
  expect(told[0]?.message).not.toContain('unknown error');
});
