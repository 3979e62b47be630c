import type { Message } from '@ctx/core';
import fc from 'fast-check';
import { codePoint } from './code-point.js';
import { and, assistant, call, result, system, transcript, user } from './dsl.js';

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

const question: fc.Arbitrary<Step> = text.map((content) => () => [user(content)]);
const answer: fc.Arbitrary<Step> = text.map((content) => () => [assistant(content)]);
const made = fc.tuple(fc.constantFrom('read', 'grep-all', 'run_2'), input, output);
const exchange: fc.Arbitrary<Step> = fc
  .tuple(fc.array(made, { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([steps, together]) => (turn) => {
    const calls = steps.map(([name, given], at) => call(`call_${turn}_${at}`, name, given));
    const results = steps.map(([, , found], at) => result(`call_${turn}_${at}`, found));
    return transcript(and(...calls), ...(together ? [and(...results)] : results));
  });

/**
 * Conversations in core's form that every provider accepts: perhaps a system prompt, then a user's question, then anything. Call ids are
 * unique, every call has its result, and no text is blank.
 */
export const portableTranscript: fc.Arbitrary<Message[]> = fc
  .tuple(fc.option(text), text, fc.array(fc.oneof(question, answer, exchange), { maxLength: 12 }))
  .map(([prompt, first, steps]) => [
    ...(prompt === null ? [] : [system(prompt)]),
    user(first),
    ...steps.flatMap((step, turn) => step(turn)),
  ]);
