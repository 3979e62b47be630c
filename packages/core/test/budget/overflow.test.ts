import { isOverflowError, overflowKind } from '@ctx/core/codec';
import { errorForms } from './overflow-forms.js';

const http = (status: number, message: string, more = {}) =>
  Object.assign(new Error(message), { status, ...more });

test.each<[string, unknown]>([
  [
    'OpenAI',
    http(
      400,
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
      { code: 'context_length_exceeded' },
    ),
  ],
  [
    'OpenAI, by its code alone',
    http(400, 'Bad request', { error: { code: 'context_length_exceeded', type: 'invalid_request_error' } }),
  ],
  [
    'OpenAI Responses',
    http(400, 'Your input exceeds the context window of this model. Please adjust your input and try again.'),
  ],
  [
    'Anthropic',
    http(400, 'prompt is too long: 210000 tokens > 200000 maximum', {
      error: { type: 'invalid_request_error' },
    }),
  ],
  [
    'Anthropic with an answer that does not fit',
    http(
      400,
      'input length and `max_tokens` exceed context limit: 195000 + 8192 > 200000, decrease input length or `max_tokens` and try again',
    ),
  ],
  [
    'OpenRouter',
    http(
      400,
      "This endpoint's maximum context length is 32768 tokens. However, you requested about 40000 tokens",
    ),
  ],
  [
    'Google',
    http(400, 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'),
  ],
  [
    'vLLM',
    http(
      400,
      "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens in the messages, Please reduce the length of the messages.",
    ),
  ],
  [
    'llama.cpp',
    http(
      400,
      'the request exceeds the available context size. try increasing the context size or enable context shift',
    ),
  ],
  [
    'LM Studio',
    http(
      400,
      'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough. Prompt exceeds context length',
    ),
  ],
  ['Ollama', http(400, 'input length exceeds the context length')],
  [
    'AI SDK',
    {
      statusCode: 400,
      message: 'Bad Request',
      responseBody: '{"error":{"message":"prompt is too long: 3 > 2"}}',
    },
  ],
  ['an error behind another', new Error('request failed', { cause: http(400, 'too many tokens') })],
  ['a text', 'Error: maximum context length exceeded'],
  [
    'an error that was retried',
    { message: 'Failed after 3 attempts', lastError: http(400, 'prompt is too long') },
  ],
  [
    'Anthropic by its bytes',
    http(
      413,
      '{"error":{"type":"request_too_large","message":"Request exceeds the maximum allowed number of bytes."}}',
    ),
  ],
  ['a gateway that says nothing', http(413, '<html><h1>413</h1></html>')],
  ['a gateway behind an SDK', new Error('request failed', { cause: { statusCode: 413 } })],
  ['a gateway whose status is lost', new Error('413 Payload Too Large')],
])('an overflow of %s is recognised', (_provider, error) => {
  expect(isOverflowError(error)).toBe(true);
});

test.each([
  ['Bedrock', 'Input is too long for requested model.'],
  ['Bedrock with Llama', 'Input Tokens Exceeded: Number of input tokens exceeds maximum length.'],
  ['Vertex', 'the input token count is 33000 but the model only supports up to 32768'],
  ['xAI', "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
  ['Groq', 'Please reduce the length of the messages or completion.'],
  ['Cohere', 'too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4292'],
  ['Mistral', 'Prompt contains 40000 tokens, too large for model with 32768 maximum context length'],
  ['Moonshot', 'Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)'],
  ['MiniMax', 'invalid params, context window exceeds limit (2013)'],
  ['Zhipu', 'Prompt exceeds max length'],
  ['DashScope', 'Range of input length should be [1, 30720]'],
  ['GitHub Copilot', 'prompt token count of 140000 exceeds the limit of 128000'],
  ['Fireworks', 'The prompt is too long: 132000, model maximum context length: 131071'],
  [
    'Cloudflare',
    'The estimated number of input and maximum output tokens (9000) exceeded this model context window limit (8192).',
  ],
  ['watsonx', 'the number of input tokens 5000 cannot exceed the total tokens limit 4096 for this model'],
  [
    'Text Generation Inference',
    'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 4098 `inputs` tokens',
  ],
  ['Text Generation Inference, older', '`inputs` must have less than 1024 tokens. Given: 1025'],
  [
    'vLLM, of the prompt',
    'The decoder prompt (length 5000) is longer than the maximum model length of 4096.',
  ],
  [
    'vLLM, of the answer',
    "'max_tokens' or 'max_completion_tokens' is too large: 900. This model's maximum context length is 4096 tokens and your request has 3900 input tokens",
  ],
  ['vLLM, if nothing is left', 'max_tokens must be at least 1, got -234.'],
  ['SGLang', "The input (5000 tokens) is longer than the model's context length (4096 tokens)."],
  [
    'llama.cpp, newer',
    'request (10000 tokens) exceeds the available context size (8192 tokens), try increasing it',
  ],
  [
    'LM Studio, newer',
    'The number of tokens to keep from the initial prompt is greater than the context length.',
  ],
  ['Ollama, newer', 'prompt too long; exceeded max context length by 123 tokens'],
])('the message of %s is recognised', (_provider, message) => {
  expect(isOverflowError(http(400, message))).toBe(true);
});

test.each<[string, unknown]>([
  [
    'an answer longer than the model can give',
    http(
      400,
      'max_tokens is too large: 8192. This model supports at most 4096 completion tokens, whereas you provided 8192.',
    ),
  ],
  [
    'a longer answer than another model can give',
    http(400, 'max_tokens: 200000 > 64000, which is the maximum allowed number of output tokens'),
  ],
  [
    'a throttling without a status',
    Object.assign(new Error('Too many tokens, please wait before trying again.'), {
      name: 'ThrottlingException',
    }),
  ],
  [
    'a rate limit behind another error',
    new Error('request failed: too many tokens', { cause: http(429, 'slow down') }),
  ],
  ['a rate limit in a response', { message: 'too many tokens', response: { status: 429 } }],
  ['an image that is too large', http(400, 'image exceeds 5 MB maximum: 5300000 bytes > 5242880 bytes')],
  [
    'a result without its call',
    http(400, "messages with role 'tool' must be a response to a preceding message with 'tool_calls'"),
  ],
  ['a bug of our own', new TypeError("Cannot read properties of undefined (reading 'length')")],
  ['a rate limit', http(429, 'Rate limit reached for gpt-4 on tokens per min (TPM): Limit 10000, Used 9000')],
  [
    'a rate limit that speaks of the context',
    http(429, 'Request too large: prompt is too long for your tier'),
  ],
  [
    'a rate limit that comes as 413',
    http(
      413,
      'Rate limit reached for `llama` on tokens per minute (TPM): Limit 6000, Used 5000, Requested 3000',
    ),
  ],
  ['a rate limit without a status', new Error('Too many tokens per minute: rate limit exceeded')],
  ['a quota', http(403, 'You exceeded your current quota, please check your plan')],
  ['a wrong key', http(401, 'Incorrect API key provided')],
  ['a broken connection', Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })],
  ['an overloaded server', http(529, 'Overloaded')],
  ['nothing', undefined],
  [
    'an object that refers to itself',
    (() => {
      const error: { cause?: unknown } = {};
      error.cause = error;
      return error;
    })(),
  ],
])('%s is not an overflow', (_what, error) => {
  expect(isOverflowError(error)).toBe(false);
});

test.each(errorForms)('$from: $kind', ({ status = 400, says, kind }) => {
  const body = typeof says === 'string' ? says : JSON.stringify(says);
  expect(overflowKind({ status, message: body })).toBe(kind);
  expect(overflowKind(Object.assign(new Error(body), { status }))).toBe(kind);
  if (typeof says === 'object') expect(overflowKind(says)).toBe(kind);
  expect(isOverflowError({ status, message: body })).toBe(kind !== undefined && kind !== 'output');
});
