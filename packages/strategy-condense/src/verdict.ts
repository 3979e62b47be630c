import { summaryPrompt } from './prompt.js';

/** Why an answer is no summary, if it is none. */
export type Flaw = 'empty' | 'refused' | 'error' | 'echo' | 'garbage' | 'repetition';

const refusal =
  /^(i'?m sorry|sorry,|i (can'?t|cannot|can not|am unable|won'?t)|as an ai|unfortunately,? i (can'?t|cannot)|对不起|抱歉|我无法)/i;
const errorText = /^(\{?"?error"?\b|error[: ]|internal server error|<!doctype|<html|bad gateway|upstream)/i;
/** A refusal or an error is short; a summary may begin with such words too. */
const shortAnswer = 600;
/** A piece of the prompt that no summary would have by chance. */
const promptLines = summaryPrompt.split('\n').filter((line) => line.length > 60);

/**
 * What is wrong with an answer that should be a summary: nothing in it, a refusal, an error's text, the prompt given back, no
 * words, or one line over and over.
 * @param boundary what marks the frame that the history stood in
 */
export function flawOf(answer: string, boundary: string): Flaw | undefined {
  const text = answer.trim();
  if (text === '') return 'empty';
  if (text.length < shortAnswer && refusal.test(text)) return 'refused';
  if (text.length < shortAnswer && errorText.test(text)) return 'error';
  if (text.includes(`<history-${boundary}>`) || promptLines.filter((line) => text.includes(line)).length > 1)
    return 'echo';
  if (wordShare(text) < 0.4) return 'garbage';
  return isRepeated(text) ? 'repetition' : undefined;
}

/** The share of letters and digits among what is not white space. */
function wordShare(text: string): number {
  const sample = text.slice(0, 20_000).replace(/\s+/g, '');
  return (sample.match(/[\p{L}\p{N}]/gu)?.length ?? 0) / Math.max(1, [...sample].length);
}

function isRepeated(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim().length > 3);
  if (lines.length < 12) return false;
  return new Set(lines).size < lines.length / 3;
}
