import { outputFault } from '../src/shortage.js';

const kimi = 'Invalid request: Your request exceeded model token limit: 262144 (requested: 271000)';
const groq = 'Request too large on tokens per minute (TPM): Limit 6000, Requested 9538';

test.each([
  ['a sum of which the answer is the most', kimi, 262_144, 8_800],
  ['a limit of a minute that the answer takes', groq, 8_192, 1_300],
  [
    'a limit alone, with a conversation that fits twice',
    'exceeds the context length of 32768',
    32_000,
    9_000,
  ],
  [
    'figures of its own',
    "This model's maximum context length is 8192 tokens. However, you requested 10192 tokens (2000 in the messages, 8192 in the completion).",
    undefined,
    2_000,
  ],
])('an answer is to blame by %s', (_, message, outputTokens, countedTokens) => {
  expect(outputFault({ status: 400, message }, outputTokens, countedTokens)).toContain('max_tokens');
});

test.each([
  ['the conversation is too large by itself', kimi, 262_144, 270_000],
  [
    'the prompt is named, whatever the answer may have',
    'prompt is too long: 22131 tokens > 22000 maximum',
    32_000,
    21_000,
  ],
  ['the answer is short', kimi, 8_192, 262_500],
  ['nothing is said of the answer', kimi, undefined, 8_800],
  ['no limit is named', 'Input is too long for requested model.', 262_144, 8_800],
  ['it is about bytes', 'total message size 10176584 exceeds limit 2097152', 2_097_152, 8_800],
])('an answer is not to blame if %s', (_, message, outputTokens, countedTokens) => {
  expect(outputFault({ status: 400, message }, outputTokens, countedTokens)).toBeUndefined();
});
