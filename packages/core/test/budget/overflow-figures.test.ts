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

describe('the most that fits is read', () => {
  test.each<[string, number | undefined]>([
    [
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
      128_000,
    ],
    ["This model's maximum context length is 128,000 tokens.", 128_000],
    ['prompt is too long: 210000 tokens > 200000 maximum', 200_000],
    [
      'input length and `max_tokens` exceed context limit: 195000 + 8192 > 200000, decrease input length',
      200_000,
    ],
    ['The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', 1_048_576],
    ['the input token count is 33000 but the model only supports up to 32768', 32_768],
    ['too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4292', 4_081],
    ['Prompt contains 40000 tokens, too large for model with 32768 maximum context length', 32_768],
    ['Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)', 262_144],
    ['Range of input length should be [1, 30720]', 30_720],
    ['prompt token count of 140000 exceeds the limit of 128000', 128_000],
    ['The prompt is too long: 132000, model maximum context length: 131071', 131_071],
    ['input and maximum output tokens (9000) exceeded this model context window limit (8192).', 8_192],
    ['the number of input tokens 5000 cannot exceed the total tokens limit 4096 for this model', 4_096],
    ['`inputs` tokens + `max_new_tokens` must be <= 4097. Given: 4098 `inputs` tokens', 4_097],
    ['`inputs` must have less than 1024 tokens. Given: 1025', 1_024],
    ['The decoder prompt (length 5000) is longer than the maximum model length of 4096.', 4_096],
    ["The input (5000 tokens) is longer than the model's context length (4096 tokens).", 4_096],
    ['request (10000 tokens) exceeds the available context size (8192 tokens), try increasing it', 8_192],
    ['However, the model is loaded with context length of only 4096 tokens, which is not enough.', 4_096],
    ['tokens per minute (TPM): Limit 6000, Requested 9538', 6_000],
    ['Request body too large for gpt-4o-mini model. Max size: 8000 tokens.', 8_000],
    ['number of input tokens (204703) has exceeded max_prompt_tokens (202752) limit.', 202_752],
    ['length of prompt_tokens (163280) must be less than max_seq_len (32768).', 32_768],
    ['Number of input tokens must be no more than 8192, got 9136', 8_192],
    ['Prompt has 70,000 tokens, but the configured context size is 65,536 tokens', 65_536],
    ['Current length is 8193 while limit is 8192', 8_192],
    ['Reached context length of 8192 tokens with model', 8_192],
    [
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
      undefined,
    ],
    ['invalid params, context window exceeds limit (2013)', undefined],
    ['prompt too long; exceeded max context length by 123 tokens', undefined],
    ['Input is too long for requested model.', undefined],
    ['input length exceeds the context length', undefined],
  ])('%s', (text, tokens) => {
    expect(
      overflowFigures({ status: 400, message: JSON.stringify({ error: { message: text } }) }).limit,
    ).toBe(tokens);
    expect(overflowFigures(new Error('request failed', { cause: { error: { message: text } } })).limit).toBe(
      tokens,
    );
  });

  test('an error that contains itself', () => {
    const error: Record<string, unknown> = {};
    error.cause = error;
    expect(overflowFigures(error)).toEqual({});
  });
});
