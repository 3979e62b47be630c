import { type ChatMessage, openaiCodec } from '@ctx/codec-openai';
import { deepFreeze, words } from '@ctx/testing';
import { conversation, reportedUsage, type Warning } from '../src/index.js';

const contextWindow = 2_000;
const overflow = () =>
  Object.assign(new Error("This model's maximum context length is 2000 tokens"), { status: 400 });
const options = { model: 'gpt-5', config: { contextWindow } };

const historyOf = (turns: number): ChatMessage[] =>
  deepFreeze([
    { role: 'system', content: 'Be brief.' },
    ...Array.from({ length: turns }, (_, turn): ChatMessage[] => [
      { role: 'user', content: `Task ${turn}: rename the function handler${turn} in src/module${turn}.ts` },
      { role: 'assistant', content: words(80, `done${turn}`) },
    ]).flat(),
    { role: 'user', content: 'And now?' },
  ]);

const sizeOf = (history: readonly ChatMessage[]) => JSON.stringify(history).length / 4;

test('sends what fits, and takes the answer’s usage', async () => {
  const chat = conversation(openaiCodec, options);
  chat.sync(historyOf(60));
  const answer = await chat.send(async (messages) => {
    expect(sizeOf(messages)).toBeLessThan(contextWindow);
    expect(messages.at(-1)).toEqual({ role: 'user', content: 'And now?' });
    return { text: 'done', usage: { prompt_tokens: 777 } };
  });
  expect(answer.text).toBe('done');
  expect(chat.manager.stats().currentTokens).toBe(777);
});

test('tells once that the usage that is reported can’t be right, whatever the figures', async () => {
  const told: Warning[] = [];
  const chat = conversation(openaiCodec, { ...options, onWarning: (warning) => told.push(warning) });
  for (let turns = 5; turns < 10; turns += 1) {
    chat.sync(historyOf(turns));
    await chat.send(async () => ({ usage: { prompt_tokens: turns } }));
  }
  expect(told.map(({ message }) => message)).toEqual([expect.stringContaining('is ignored: 5 tokens')]);
});

test('after an overflow it sends less, at most three times', async () => {
  const chat = conversation(openaiCodec, options);
  chat.sync(historyOf(8));
  const sizes: number[] = [];
  await chat.send(async (messages) => {
    sizes.push(sizeOf(messages));
    if (sizes.length < 3) throw overflow();
  });
  expect(sizes).toHaveLength(3);
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));

  const never = conversation(openaiCodec, { ...options, onWarning: () => {} });
  never.sync(historyOf(8));
  let calls = 0;
  const sent = never.send(async () => {
    calls += 1;
    throw overflow();
  });
  await expect(sent).rejects.toThrow('maximum context length');
  expect(calls).toBeLessThanOrEqual(4);
});

test('throws what the call throws, once, if it is no overflow', async () => {
  const chat = conversation(openaiCodec, options);
  chat.sync(historyOf(1));
  let calls = 0;
  const sent = chat.send(async () => {
    calls += 1;
    throw new TypeError('no network');
  });
  await expect(sent).rejects.toThrow('no network');
  expect(calls).toBe(1);
});

test('where ctx fails, the history goes out as it came, with one warning that says nothing of it', async () => {
  const warnings: Warning[] = [];
  const fails = () => {
    throw new Error('secret text of a conversation');
  };
  const chat = conversation(
    { ...openaiCodec, fromMessages: fails },
    { ...options, onWarning: (warning) => warnings.push(warning) },
  );
  const history = historyOf(30);
  chat.sync(history);
  await chat.send(async (messages) => expect(messages).toBe(history));
  await chat.send(async (messages) => expect(messages).toBe(history));
  expect(warnings.map(({ code }) => code)).toEqual(['encode-failed']);
  expect(JSON.stringify(warnings)).not.toContain('secret');
});

const used = { input_tokens: 7 };
const seven = { inputTokens: 7 };
test.each<[string, unknown, unknown]>([
  ['chat completions', { model: 'gpt-5', usage: { prompt_tokens: 5 } }, { inputTokens: 5, model: 'gpt-5' }],
  [
    'responses',
    { usage: { input_tokens: 7, input_tokens_details: { cached_tokens: 3 } } },
    { ...seven, cachedTokens: 3 },
  ],
  ['a stream of responses', { type: 'response.completed', response: { usage: used } }, seven],
  [
    'messages',
    { usage: { input_tokens: 1, cache_read_input_tokens: 20, cache_creation_input_tokens: 300 } },
    { inputTokens: 321, cachedTokens: 20 },
  ],
  ['a stream of messages', { type: 'message_start', message: { usage: used } }, seven],
  ['the end of a stream of messages', { type: 'message_delta', usage: { output_tokens: 9 } }, undefined],
  [
    'gemini',
    { usageMetadata: { promptTokenCount: 11, cachedContentTokenCount: 8 }, modelVersion: 'g' },
    { inputTokens: 11, cachedTokens: 8, model: 'g' },
  ],
  ['the AI SDK 6', { usage: { inputTokens: { total: 12, cacheRead: 3 } } }, { inputTokens: 12 }],
  ['the AI SDK 5', { usage: { inputTokens: 12 } }, { inputTokens: 12 }],
  [
    'messages, with diagnostics',
    {
      usage: used,
      diagnostics: { cache_miss_reason: { type: 'tools_changed', cache_missed_input_tokens: 5 } },
      input_transformations: [
        { type: 'thinking_dropped', path: 'messages.1.content.0', reason: 'prefix_binding_mismatch' },
        { type: 'thinking_dropped', path: 'messages.3.content.0', reason: 'prefix_binding_mismatch' },
        { type: 'thinking_mismatch_allowed', path: 'messages.5.content.0', reason: 'model_binding_mismatch' },
      ],
    },
    { ...seven, cacheMiss: 'tools_changed', droppedReasoning: ['prefix_binding_mismatch'] },
  ],
  [
    'a stream of responses, with diagnostics',
    {
      type: 'response.completed',
      response: {
        usage: used,
        prompt_cache_diagnostics: { type: 'cache_miss', reason: 'context_compacted', cache_missed_tokens: 5 },
        input_transformations: [
          { type: 'reasoning', id: 'rs_1', action: 'removed', reason: 'prefix_mismatch' },
          { type: 'reasoning', id: 'rs_2', action: 'removed', reason: 'turn_boundary' },
        ],
      },
    },
    { ...seven, cacheMiss: 'context_compacted', droppedReasoning: ['prefix_mismatch', 'turn_boundary'] },
  ],
  [
    'a cache that was read, or could not be compared',
    {
      usage: used,
      prompt_cache_diagnostics: { type: 'cache_hit' },
      diagnostics: { cache_miss_reason: { type: 'previous_message_not_found' } },
      input_transformations: [],
    },
    seven,
  ],
  [
    'messages that Anthropic compacted, as they were sent',
    {
      usage: {
        input_tokens: 30,
        iterations: [
          { type: 'compaction', input_tokens: 900, cache_read_input_tokens: 100 },
          { type: 'message', input_tokens: 30 },
        ],
      },
    },
    { inputTokens: 1_000, cachedTokens: 100 },
  ],
  [
    'reasoning that was dropped without a reason in words',
    { usage: used, input_transformations: [{ action: 'removed', reason: { a: 1 } }] },
    { ...seven, droppedReasoning: ['unknown'] },
  ],
  [
    'an input of Anthropic’s that is all in the cache',
    { usage: { input_tokens: 0, cache_creation_input_tokens: 500, cache_read_input_tokens: 1_000 } },
    { inputTokens: 1_500, cachedTokens: 1_000 },
  ],
  [
    'an input of Bedrock’s that is all in the cache',
    { usage: { inputTokens: 0, cacheReadInputTokens: 1_000, cacheWriteInputTokens: 0 } },
    { inputTokens: 1_000, cachedTokens: 1_000 },
  ],
  ['no tokens at all', { usage: { input_tokens: 0, cache_read_input_tokens: 0 } }, undefined],
  ['nothing', undefined, undefined],
  ['a web page', '<html>', undefined],
  [
    'figures that are none',
    { usage: { prompt_tokens: '5', input_tokens: -1, inputTokens: Number.NaN } },
    undefined,
  ],
])('reads the usage that %s reports', (_, answer, usage) => {
  expect(reportedUsage(answer)).toEqual(usage && { cachedTokens: 0, ...usage });
});

test.each([[null], [5], [true], [() => 1], ['x'], [[]]])(
  'refuses %p, whichever argument it is',
  async (wrong) => {
    const chat = conversation(openaiCodec, options);
    const refused = (place: string) =>
      expect.objectContaining({ code: 'config-invalid', place, value: wrong });
    expect(() => conversation(wrong as never)).toThrow(refused('codec'));
    expect(() => conversation(openaiCodec, wrong as never)).toThrow(refused('options'));
    await expect(chat.prepare(wrong as never)).rejects.toEqual(refused('options'));
    await expect(chat.recovered(overflow(), wrong as never)).rejects.toEqual(refused('options'));
    if (typeof wrong !== 'function') await expect(chat.send(wrong as never)).rejects.toEqual(refused('call'));
  },
);
