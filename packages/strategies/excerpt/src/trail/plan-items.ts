import { isFields } from '@ctx/core/codec';
import { sizes } from '../weights.js';
import { shortened } from './shortened.js';

/** An item of a plan, as agents' tools for plans and to-do lists name its fields. */
const textFields = ['content', 'step', 'text', 'title', 'task', 'subject', 'description'];
const doneWords = /^(?:completed?|done|finished|x)$/i;
const openWords = /^(?:pending|open|todo|not[_-]started|)$/i;
/** How a line of a plan begins, as `[x] read the tests`. */
export const planLine = /^\[[x> ]\] /;

/** The lines of a plan or to-do list that a call sets; undefined if it sets none. */
export function listOf(input: unknown): readonly string[] | undefined {
  for (const [name, value] of Object.entries(isFields(input) ? input : {})) {
    const isList = /^(?:todos?|tasks?|plan|checklist|task_progress)$/.test(name);
    const text = isList ? wordsOf(value).matchAll(/^ *[-*] \[(.)\] (.+)/gm) : [];
    const items = Array.isArray(value)
      ? value.map(itemOf)
      : [...text].map(([, mark, said]) => lineOf(mark, said));
    if (items.length > 0 && items.every((line) => line !== undefined)) return items;
  }
  return undefined;
}

function itemOf(item: unknown): string | undefined {
  if (!isFields(item)) return undefined;
  const { status, done = item.completed } = item;
  const text = textFields.map((one) => item[one]).find((value) => typeof value === 'string');
  const hasState = typeof status === 'string' || typeof done === 'boolean';
  return hasState && text !== undefined ? lineOf(done === true ? 'x' : status, text) : undefined;
}

export function lineOf(state: unknown, text: unknown): string {
  const word = wordsOf(state).trim();
  const mark = doneWords.test(word) ? 'x' : openWords.test(word) ? ' ' : '>';
  return `[${mark}] ${shortened(wordsOf(text), sizes.line)}`;
}

export function wordsOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
