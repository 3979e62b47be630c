import { CtxError } from '@ctx/core';

/** Why an answer is not a summary, as its error says it. */
const descriptions = {
  empty: 'empty',
  'nothing to say': 'empty',
  short: 'too short to say anything',
  refused: 'a refusal',
  error: 'the text of an error',
  echo: 'a copy of the prompt',
  garbage: 'not in words',
  repetition: 'one line repeated',
  'cut off': 'cut off at its length limit',
  'too long': 'too long for the target',
  'no completion': 'missing: the model returned no text',
};
type Flaw = keyof typeof descriptions;

/** What a model that failed would answer to other messages too. */
const repeating: readonly Flaw[] = ['empty', 'short', 'error', 'garbage', 'no completion'];

/** The error for an answer that is rejected. */
export function notASummary(flaw: Flaw): CtxError {
  return new CtxError({
    code: repeating.includes(flaw) ? 'model-failed' : 'summary-failed',
    problem: `Failed to condense context: the summary is ${descriptions[flaw]}`,
    remedy: 'It was not used. The next stage runs instead.',
  });
}

const refusal =
  /^(i(?:['’]| a)?m (so |very |really )?sorry|sorry,|i apologi[sz]e|my apologies|i (can['’]?t|cannot|can not|am unable|won['’]?t)|as an ai|unfortunately,? i (can'?t|cannot)|(我?很|非常)?(对不起|抱歉)|我无法)/i;
const errorText = /^(\{?"?error"?\b|error[: ]|internal server error|<!doctype|<html|bad gateway|upstream)/i;
/** In characters. Fewer, such as "OK" or "null", say nothing of a history. A limit. */
const shortestSummary = 8;
/** In characters. Refusals and errors are shorter than this; a longer summary may begin with the same words. */
const shortAnswer = 600;
/** In characters. Longer lines of the prompt are in no summary by chance. */
const tellingLine = 60;
/** In characters: three times as many as a summary may have. What comes later in an answer is not read. */
const longestRead = 100_000;

/**
 * Finds the flaw of an answer that should be a summary. Undefined if it has none.
 * @param boundary the word that marks the frame of the history
 * @param prompt what the model was asked with
 */
export function flawOf(answer: string, boundary: string, prompt: string): Flaw | undefined {
  const text = answer.trimStart().slice(0, longestRead).trimEnd();
  if (text === '') return 'empty';
  if (text.length < shortAnswer && refusal.test(text)) return 'refused';
  if (text.length < shortAnswer && errorText.test(text)) return 'error';
  const telling = prompt.split('\n').filter((line) => line.length > tellingLine);
  const isEcho = text.includes(prompt.trim()) || telling.filter((line) => text.includes(line)).length > 1;
  if (isEcho || text.includes(`<history-${boundary}>`)) return 'echo';
  const sample = text.slice(0, 20_000).replace(/\s+/g, '');
  const inWords = sample.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  if (inWords < 0.4 * [...sample].length) return 'garbage';
  if (text.length < shortestSummary) return 'short';
  const lines = text.split('\n').filter((line) => line.trim().length > 3);
  return lines.length >= 12 && new Set(lines).size < lines.length / 3 ? 'repetition' : undefined;
}
