import { type ChatMessage, openaiCodec } from '@ctx/codec-openai';
import { words } from '@ctx/testing';
import { type Conversations, Conversations as Many, type Warning } from '../src/index.js';
import { LearnedWindows } from '../src/learned-windows.js';
import { assistant, user } from './chat.js';

const request = { provider: 'openai', model: 'local', scope: 'me', server: 'here' };
const history = (turns: number, name = 'ann'): ChatMessage[] => [
  { role: 'system', content: 'Be brief.' },
  ...Array.from({ length: turns }, (_, turn) => [
    user(`${name} asks for step ${turn}`),
    assistant(words(60, `${name}${turn}`)),
  ]).flat(),
  user('And now?'),
];
const limit = 2_000;
const refusal = (said: number) => ({
  status: 400,
  message: `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${said} tokens.`,
});
const wordless = { status: 400, message: 'Your input exceeds the context window of this model.' };

function conversations(contextWindow = 50_000, onWarning: (warning: Warning) => void = () => {}) {
  // What is removed does not matter here: the quickest strategy will do.
  const config = { contextWindow, pipeline: ['oldest-removal'] };
  return new Many(openaiCodec, { config, onWarning });
}

const sizeOf = (all: readonly unknown[]) => Math.ceil(JSON.stringify(all).length / 3);

/** What a server does that has a window of its own: refuses what is larger, and says how large it was. */
async function send(
  of: Conversations<ChatMessage[]>,
  messages: ChatMessage[],
  error: (said: number) => unknown = refusal,
  fits = limit,
) {
  const turn = await of.turn(structuredClone(messages), request);
  let sent: ChatMessage[] | undefined = (await turn.prepare()) as ChatMessage[];
  let refused = 0;
  while (sent !== undefined && sizeOf(sent) > fits) {
    refused += 1;
    sent = (await turn.recovered(error(sizeOf(sent)))) as ChatMessage[] | undefined;
  }
  if (sent !== undefined) await turn.answered({ inputTokens: sizeOf(sent) });
  return { refused, sent };
}

test('the window that a refusal names is paid for twice at most', async () => {
  const of = conversations();
  let refused = (await send(of, history(200))).refused;
  for (let turns = 201; turns < 220; turns += 1) refused += (await send(of, history(turns))).refused;
  refused += (await send(of, history(200, 'bob'))).refused;
  expect(refused).toBe(2);
  expect((await send(of, history(200, 'eve'))).refused).toBe(0);
});

test.each([
  ['names the window', refusal],
  ['names no figure', () => wordless],
])(
  'what is learned of a refusal that %s is told once, and so is what a manager assumes',
  async (_, error) => {
    const told: Warning[] = [];
    const of = new Many(openaiCodec, { onWarning: (warning) => told.push(warning) });
    for (let turns = 24; turns < 34; turns += 1) await send(of, history(turns), error);
    expect(told.map(({ code }) => code)).toEqual(['manager-warning', 'window-learned']);
    expect(told[0]?.message).toContain('The model "local" is not known');
    expect(told[1]?.message).toMatch(/at most [\d,]+ tokens. Set contextWindow/);
  },
);

test('nothing is told of refusals between which a larger request was answered', async () => {
  const told: Warning[] = [];
  const of = conversations(50_000, (warning) => told.push(warning));
  for (const turns of [10, 12, 14]) {
    const refused = await of.turn(history(turns, `ann${turns}`), request);
    await refused.prepare();
    await refused.recovered(wordless);
    const larger = await of.turn(history(turns + 20, `bob${turns}`), request);
    await larger.prepare();
    await larger.answered({ inputTokens: larger.conversation.manager.stats().currentTokens });
  }
  expect(told).toEqual([]);
});

test('a window of refusals without a number rises while what is near it passes, and seldom after a rise that was refused', () => {
  const windows = new LearnedWindows();
  const answered = (times: number, tokens: number) => {
    for (let time = 0; time < times; time += 1) windows.answered(request, tokens);
  };
  for (let time = 0; time < 2; time += 1) windows.refused(request, undefined, 8_000);
  answered(9, 4_000);
  expect(windows.of(request)).toBe(8_000);
  answered(3, 6_000);
  expect(windows.of(request)).toBe(10_000);
  windows.refused(request, undefined, 8_500);
  expect(windows.of(request)).toBe(8_000);
  answered(11, 6_000);
  expect(windows.of(request)).toBe(8_000);
  answered(1, 6_000);
  expect(windows.of(request)).toBe(9_000);
  answered(12, 7_000);
  expect(windows.of(request)).toBe(10_125);
  // What is smaller than what passed before the rise is not refused because of it.
  for (const refused of [4_000, 3_800]) windows.refused(request, undefined, refused);
  expect(windows.of(request)).toBe(3_800);
});

test('a window that the provider names does not rise', () => {
  const windows = new LearnedWindows();
  for (let time = 0; time < 2; time += 1) windows.refused(request, 8_000, 9_000);
  for (let time = 0; time < 50; time += 1) windows.answered(request, 7_900);
  expect(windows.of(request)).toBe(8_000);
});

test('it holds for its server alone, and is never larger than what is configured', async () => {
  for (const [contextWindow, server, window] of [
    [50_000, 'here', limit],
    [1_200, 'here', 1_200],
    [50_000, 'there', 50_000],
  ] as const) {
    const of = conversations(contextWindow);
    const asked = (name: string, at: string) => of.turn(history(2, name), { ...request, server: at });
    for (const name of ['ann', 'bob']) await (await asked(name, 'here')).recovered(refusal(2_100));
    expect((await asked('eve', server)).conversation.manager.stats().maxTokens).toBe(window);
  }
});

test('what is answered takes back what was learned', () => {
  const windows = new LearnedWindows();
  for (const stated of [12_000, 9_000, 9_000]) windows.refused(request, stated, 20_000);
  expect(windows.of(request)).toBe(9_000);
  windows.answered(request, 8_000);
  expect(windows.of(request)).toBe(9_000);
  windows.answered(request, 9_001);
  expect(windows.of(request)).toBeUndefined();
  for (let time = 0; time < 2; time += 1) windows.refused(request, 3, 20_000);
  expect(windows.of(request)).toBeUndefined();
});

test('a server that refuses the bytes of requests teaches no window', async () => {
  const of = conversations();
  const tooLarge = () => ({ status: 413, message: 'Payload too large' });
  for (const name of ['ann', 'bob', 'eve'])
    expect((await send(of, history(200, name), tooLarge)).refused).toBeGreaterThan(0);
  const turn = await of.turn(history(200, 'kim'), request);
  const sent = (await turn.prepare()) as ChatMessage[];
  expect(sent).toHaveLength(history(200).length);
});
