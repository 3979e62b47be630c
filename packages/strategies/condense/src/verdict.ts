/** Why an answer is not a summary. */
export type Flaw = 'empty' | 'short' | 'refused' | 'error' | 'echo' | 'garbage' | 'repetition';

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
 * Finds the flaw of an answer that should be a summary: it is empty or too short, a refusal, the text of an error, the prompt itself, not in words,
 * or one line repeated. Undefined if it has none.
 * @param boundary the word that marks the frame of the history
 * @param prompt what the model was asked with
 */
export function flawOf(answer: string, boundary: string, prompt: string): Flaw | undefined {
  const text = answer.trimStart().slice(0, longestRead).trimEnd();
  if (text === '') return 'empty';
  if (text.length < shortAnswer && refusal.test(text)) return 'refused';
  if (text.length < shortAnswer && errorText.test(text)) return 'error';
  if (text.includes(`<history-${boundary}>`) || isEcho(text, prompt)) return 'echo';
  if (wordShare(text) < 0.4) return 'garbage';
  if (text.length < shortestSummary) return 'short';
  return isRepeated(text) ? 'repetition' : undefined;
}

/** Whether the answer is the prompt, or has two of its long lines. */
function isEcho(text: string, prompt: string): boolean {
  const lines = prompt.split('\n').filter((line) => line.length > tellingLine);
  return text.includes(prompt.trim()) || lines.filter((line) => text.includes(line)).length > 1;
}

/** The share of letters and digits among the characters that are not white space. */
function wordShare(text: string): number {
  const sample = text.slice(0, 20_000).replace(/\s+/g, '');
  return (sample.match(/[\p{L}\p{N}]/gu)?.length ?? 0) / Math.max(1, [...sample].length);
}

function isRepeated(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim().length > 3);
  if (lines.length < 12) return false;
  return new Set(lines).size < lines.length / 3;
}
