import type { Message } from '@ctx/core';
import fc from 'fast-check';
import { codePoint } from './code-point.js';

const anyText = fc.oneof(
  fc.lorem(),
  fc.string({ unit: codePoint }),
  fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) }),
);
const text = anyText.map((value) => `“${value}”`);
const json = fc
  .jsonValue({ stringUnit: codePoint })
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const input = fc.oneof(
  fc.dictionary(fc.string(), json),
  fc.constant(JSON.parse('{"__proto__":{"polluted":true}}') as unknown),
);
const output = fc.oneof(
  text,
  text.map((value) => ({ type: 'text' as const, value })),
  text.map((value) => ({ type: 'error-text' as const, value })),
  fc.dictionary(fc.string(), json).map((value) => ({ type: 'json' as const, value })),
  text.map((one) => ({ type: 'content' as const, value: [{ type: 'text' as const, text: one }] })),
);

type Step = (turn: number) => Message[];

const question: fc.Arbitrary<Step> = text.map((content) => () => [{ role: 'user', content }]);
const answer: fc.Arbitrary<Step> = text.map((content) => () => [{ role: 'assistant', content }]);
const exchange: fc.Arbitrary<Step> = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom('read', 'grep-all', 'run_2'), input, output), {
      minLength: 1,
      maxLength: 3,
    }),
    fc.boolean(),
  )
  .map(([steps, together]) => (turn) => {
    const calls = steps.map(([toolName, given], index) => ({
      type: 'tool-call' as const,
      toolCallId: `call_${turn}_${index}`,
      toolName,
      input: given,
    }));
    const results = steps.map(([toolName, , found], index) => ({
      type: 'tool-result' as const,
      toolCallId: `call_${turn}_${index}`,
      toolName,
      output: found,
    }));
    const answers: Message[] = together
      ? [{ role: 'tool', content: results }]
      : results.map((one) => ({ role: 'tool', content: [one] }));
    return [{ role: 'assistant', content: calls }, ...answers];
  });

/**
 * Conversations in core's form that every provider accepts: perhaps a system prompt, then a user's question, then anything. Call ids are
 * unique, every call has its result, and no text is blank.
 */
export const portableTranscript: fc.Arbitrary<Message[]> = fc
  .tuple(fc.option(text), text, fc.array(fc.oneof(question, answer, exchange), { maxLength: 12 }))
  .map(([system, first, steps]) => [
    ...(system === null ? [] : [{ role: 'system' as const, content: system }]),
    { role: 'user' as const, content: first },
    ...steps.flatMap((step, turn) => step(turn)),
  ]);
