import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOverflowError, overflowKind } from '@ctx/core/codec';
import { type OverflowFigures, overflowFigures } from '../../src/budget/overflow-figures.js';

/** What a provider, gateway or local server answers to a request that is too large, or to one that only looks so. */
interface ErrorForm extends Partial<Record<keyof OverflowFigures, number | null>> {
  readonly from: string;
  /** What the request has too much of; null if it is no overflow. */
  readonly kind: string | null;
  /** 200 for what comes in an answer or a stream. @default 400 */
  readonly status?: number;
  /** The message, or the body of the answer. */
  readonly says: string | object;
  /** Where it was seen, and when. */
  readonly source?: string;
}

const lines = readFileSync(join(__dirname, 'overflow-forms.jsonl'), 'utf8').trim().split('\n');
const forms = lines.map((line): ErrorForm => JSON.parse(line));

test.each(forms)('$from: $kind', ({ status = 400, says, kind, limit, requested, input }) => {
  const body = typeof says === 'string' ? says : JSON.stringify(says);
  const errors = [
    { status, message: body },
    Object.assign(new Error(body), { status }),
    ...(typeof says === 'object' ? [says] : []),
  ];
  for (const error of errors) expect(overflowKind(error) ?? null).toBe(kind);
  expect(isOverflowError(errors[0])).toBe(kind !== null && kind !== 'output');
  const figures = Object.entries({ limit, requested, input }).filter(([, figure]) => figure !== undefined);
  const inside = { status, message: JSON.stringify({ error: { message: says } }) };
  for (const error of [body, inside, ...errors, new Error('request failed', { cause: { error: errors[0] } })])
    for (const [name, figure] of figures)
      expect([name, overflowFigures(error)[name as keyof OverflowFigures] ?? null]).toEqual([name, figure]);
});

const http = (status: number, message: string, more = {}) =>
  Object.assign(new Error(message), { status, ...more });
const endless: { cause?: unknown } = {};
endless.cause = endless;
const tooLong = 'prompt is too long: 3 > 2';

test.each<[string, unknown]>([
  ['its code alone', http(400, 'Bad request', { error: { code: 'context_length_exceeded' } })],
  [
    'the body of an answer',
    { statusCode: 400, message: 'Bad Request', responseBody: `{"error":"${tooLong}"}` },
  ],
  ['an error behind another', new Error('request failed', { cause: http(400, 'too many tokens') })],
  ['a text', 'Error: maximum context length exceeded'],
  ['an error that was retried', { message: 'Failed after 3 attempts', lastError: http(400, tooLong) }],
  ['a gateway behind an SDK', new Error('request failed', { cause: { statusCode: 413 } })],
  ['a gateway whose status is lost', new Error('413 Payload Too Large')],
])('an overflow is recognised by %s', (_what, error) => {
  expect(isOverflowError(error)).toBe(true);
});

test.each<[string, unknown]>([
  [
    'a throttling without a status',
    http(400, 'Too many tokens, please wait.', { name: 'ThrottlingException' }),
  ],
  ['a rate limit behind another error', new Error('too many tokens', { cause: http(429, 'slow down') })],
  ['a rate limit in a response', { message: 'too many tokens', response: { status: 429 } }],
  ['a rate limit without a status', new Error('Too many tokens per minute: rate limit exceeded')],
  ['a bug of our own', new TypeError("Cannot read properties of undefined (reading 'length')")],
  ['a broken connection', Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })],
  ['nothing', undefined],
  ['an object that refers to itself', endless],
])('%s is not an overflow', (_what, error) => {
  expect(isOverflowError(error)).toBe(false);
  expect(overflowFigures(error)).toEqual({});
});

test('figures are read where a server gives them as numbers, and nothing of what has none', () => {
  const sizes = { n_prompt_tokens: 17_000, n_ctx: 8_192 };
  expect(overflowFigures({ error: { type: 'exceed_context_size_error', ...sizes } })).toEqual({
    limit: 8_192,
    requested: 17_000,
    input: 17_000,
  });
  for (const error of [null, 413, {}, new Error('Payload too large')])
    expect(overflowFigures(error).limit).toBeUndefined();
});
