import { overflowFigures } from '../../src/budget/overflow-figures.js';

describe('the figures of a refused request are read', () => {
  test.each<[string, number | undefined, number | undefined, number | undefined]>([
    ['prompt is too long: 22131 tokens > 22000 maximum', 22_000, 22_131, 22_131],
    [
      "This model's maximum context length is 40000 tokens. However, your messages resulted in 41,250 tokens.",
      40_000,
      41_250,
      41_250,
    ],
    [
      "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4500 in the messages, 500 in the completion).",
      4_096,
      5_000,
      undefined,
    ],
    [
      'The input token count (16500) exceeds the maximum number of tokens allowed (14000).',
      14_000,
      16_500,
      16_500,
    ],
    [
      'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000',
      200_000,
      209_573,
      undefined,
    ],
    [
      "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
      131_072,
      537_812,
      537_812,
    ],
    [
      'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      32_768,
      40_000,
      40_000,
    ],
    [
      'request (5234 tokens) exceeds the available context size (4096 tokens), try increasing it',
      4_096,
      5_234,
      5_234,
    ],
    ['Request too large for model `gpt-6-2026-03-01`: Limit 6000, Requested 9538', 6_000, 9_538, 9_538],
    ['total message size 10176584 exceeds limit 2097152', 2_097_152, 10_176_584, 10_176_584],
    ['Range of input length should be [1, 129024]', 129_024, undefined, undefined],
    ['Your input exceeds the context window of this model.', undefined, undefined, undefined],
  ])('%s', (message, limit, requested, input) => {
    const figures = { limit, requested, input };
    for (const error of [new Error(message), { status: 400, error: { message } }, message])
      expect({ ...{ requested: undefined, input: undefined }, ...overflowFigures(error) }).toEqual(figures);
  });

  test('also where a server gives them as numbers', () => {
    expect(
      overflowFigures({
        error: { type: 'exceed_context_size_error', n_prompt_tokens: 17_000, n_ctx: 8_192 },
      }),
    ).toEqual({ limit: 8_192, requested: 17_000, input: 17_000 });
  });

  test('and nothing is read of what has no figures', () => {
    for (const error of [undefined, null, 413, {}, new Error('Payload too large')])
      expect(overflowFigures(error).limit).toBeUndefined();
  });
});
