import { words } from '@ctx/testing';
import type { Said } from './sdks.js';

/** The prompt of a conversation with turns of about 65 tokens each. */
export const longPrompt = (turns: number, name = 'file'): Said[] => [
  { role: 'system', content: 'Be brief.' },
  ...Array.from({ length: turns }, (_, turn) => [
    { role: 'user', content: [{ type: 'text', text: `Look at ${name}${turn}.ts` }] },
    { role: 'assistant', content: [{ type: 'text', text: words(60, `${name}${turn}`) }] },
  ]).flat(),
  { role: 'user', content: [{ type: 'text', text: 'And now?' }] },
];

/** What the SDKs throw when a provider refuses a request as too large. */
export const tooLong = Object.assign(new Error("This model's maximum context length is 2000 tokens."), {
  name: 'AI_APICallError',
  statusCode: 400,
  isRetryable: false,
  responseBody: '{"error":{"code":"context_length_exceeded"}}',
});
