import { statedLimit } from '../src/stated-limit.js';

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
  ["This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 131_072],
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
  ['Your input exceeds the context window of this model. Please adjust your input and try again.', undefined],
  ['invalid params, context window exceeds limit (2013)', undefined],
  ['prompt too long; exceeded max context length by 123 tokens', undefined],
  ['Input is too long for requested model.', undefined],
  ['input length exceeds the context length', undefined],
])('%s', (text, tokens) => {
  expect(statedLimit({ status: 400, message: JSON.stringify({ error: { message: text } }) })).toBe(tokens);
  expect(statedLimit(new Error('request failed', { cause: { error: { message: text } } }))).toBe(tokens);
});

test('an error that contains itself', () => {
  const error: Record<string, unknown> = {};
  error.cause = error;
  expect(statedLimit(error)).toBeUndefined();
});
