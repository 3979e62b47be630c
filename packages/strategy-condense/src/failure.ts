import { CtxError } from '@ctx/core';
import type { Flaw } from './verdict.js';

/** Why a model's answer is not used. */
export type Refusal = Flaw | 'cut off' | 'too large' | 'no completion';

const description: Readonly<Record<Refusal, string>> = {
  empty: 'empty',
  refused: 'a refusal',
  error: "an error's text",
  echo: 'the prompt given back',
  garbage: 'no words',
  repetition: 'one line over and over',
  'cut off': 'cut off at its length',
  'too large': 'too large to be put together',
  'no completion': 'no completion with a text',
};

const remedy = 'It was not used; the next stage runs instead.';

/** There is no summary. */
export function notASummary(refusal: Refusal): CtxError {
  const problem = `Failed to condense context: the summary is ${description[refusal]}`;
  return new CtxError({ code: 'summary-failed', problem, remedy });
}

/** There is no model that could be asked. */
export function noModel(value: unknown): CtxError {
  return new CtxError({
    code: 'summary-failed',
    problem: 'API handler for condensing context is invalid',
    place: 'model.complete',
    value,
    remedy: 'A model is { name, complete(request) }. The next stage runs instead.',
  });
}

/** The model could not be asked. */
export function callFailed(cause: unknown): CtxError {
  const message = cause instanceof Error ? cause.message : String(cause);
  const problem = `Condensing API call failed: ${message}`;
  return new CtxError({ code: 'summary-failed', problem, remedy: 'The next stage runs instead.', cause });
}
