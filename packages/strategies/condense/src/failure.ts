import { CtxError } from '@ctx/core';
import type { Flaw } from './verdict.js';

/** Why a model's answer is rejected. */
export type Refusal = Flaw | 'nothing to say' | 'cut off' | 'too large' | 'no completion';

const description: Readonly<Record<Refusal, string>> = {
  empty: 'empty',
  'nothing to say': 'empty',
  short: 'too short to say anything',
  refused: 'a refusal',
  error: 'the text of an error',
  echo: 'a copy of the prompt',
  garbage: 'not in words',
  repetition: 'one line repeated',
  'cut off': 'cut off at its length limit',
  'too large': 'too large to be merged',
  'no completion': 'missing: the model returned no text',
};

/** What a model that failed would answer to other messages too. */
const repeating: readonly Refusal[] = ['empty', 'short', 'error', 'garbage', 'no completion'];

const remedy = 'It was not used. The next stage runs instead.';

/** The error for an answer that is rejected. */
export function notASummary(refusal: Refusal): CtxError {
  const problem = `Failed to condense context: the summary is ${description[refusal]}`;
  return new CtxError({
    code: repeating.includes(refusal) ? 'model-failed' : 'summary-failed',
    problem,
    remedy,
  });
}

/** The error for a `model` option that is not a model. */
export function noModel(value: unknown): CtxError {
  return new CtxError({
    code: 'model-failed',
    problem: 'API handler for condensing context is invalid',
    place: 'model.complete',
    value,
    remedy: 'A model is { name, complete(request) }. The next stage runs instead.',
  });
}

/** The error for a model call that failed. */
export function callFailed(cause: unknown): CtxError {
  const message = cause instanceof Error ? cause.message : String(cause);
  const problem = `Condensing API call failed: ${message}`;
  return new CtxError({ code: 'model-failed', problem, remedy: 'The next stage runs instead.', cause });
}
