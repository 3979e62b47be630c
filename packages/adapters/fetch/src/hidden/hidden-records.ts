import { type Message, partsOf } from '@ctx/core';
import { isFields } from '@ctx/core/codec';
import { digestOf } from '@ctx/core/kit';
import type { WireForm } from '../wire-form.js';
import type { AnswerForm } from './answer-form.js';

/** A form in which a hidden tool can be offered. */
export type AnsweringForm = WireForm & { readonly answers: AnswerForm };

/** An answer of which the agent was shown only a part. */
export interface HiddenRecord {
  /** Of the history before the answer, as the agent has it. */
  readonly before: number;
  /** Of what the agent was shown of this answer. Forks of a conversation have their own answers at the same place. */
  readonly said: number;
  /** The whole answer: all that the model said, and the results of hidden calls in between. */
  readonly entries: readonly unknown[];
  /** Results of hidden calls that were made beside calls of the agent's tools. */
  readonly results: readonly Message[];
}

/** The agent's history with each recorded answer in the place of the part that the agent has, and the records that were used. */
export function wholeHistory(
  list: readonly unknown[],
  records: readonly HiddenRecord[],
  form: AnsweringForm,
  hiddenTool: string,
) {
  if (records.length === 0) return { list, used: records };
  const numbers = numbersBefore(list, form);
  const whole: unknown[] = [];
  const used: HiddenRecord[] = [];
  for (let at = 0; at < list.length; ) {
    const here = records.filter(({ before }) => before === numbers[at]);
    const end = answerEnd(list, at, form);
    const said = here.length === 0 ? 0 : saidBy(list.slice(at, end), form, hiddenTool);
    const found = here.find((one) => one.said === said);
    if (found === undefined) {
      whole.push(list[at]);
      at += 1;
      continue;
    }
    used.push(found);
    at = end;
    whole.push(...found.entries);
    if (found.results.length === 0) continue;
    // Together with what the agent sent then, as some APIs want all results in one entry.
    const next = form.codec.toMessages(list.slice(at, at + 1));
    whole.push(...entriesOf(form, [...found.results, ...next]));
    at += 1;
  }
  return { list: whole, used };
}

/** Messages as entries of a history. */
export function entriesOf({ codec, list, write }: WireForm, messages: readonly Message[]) {
  return write(codec.fromMessages(messages))[list] as readonly unknown[];
}

/** Where the answer that begins at a place ends; the place itself if none does. */
function answerEnd(list: readonly unknown[], at: number, form: AnsweringForm): number {
  let end = at;
  while (isAnswerAt(list, end, form) && (end === at || form.answers.hasManyEntries)) end += 1;
  return end;
}

/** For each place where an answer begins, and for the end, a number for what is before it. How that is divided into entries does not count. */
function numbersBefore(list: readonly unknown[], form: AnsweringForm): readonly (number | undefined)[] {
  let [answered, since] = [0, ''];
  const numbers = list.map((entry, at) => {
    const isAnswer = isAnswerAt(list, at, form);
    const before = isAnswer ? digestOf(answered, since) : undefined;
    if (before !== undefined) [answered, since] = [digestOf(before, textsIn(entry)), ''];
    else if (!isSystem(entry)) since += textsIn(entry);
    return before;
  });
  return [...numbers, digestOf(answered, since)];
}

/** The record of an answer that comes after a history. */
export function recordAfter(
  list: readonly unknown[],
  { entries, results }: Pick<HiddenRecord, 'entries' | 'results'>,
  form: AnsweringForm,
  hiddenTool: string,
): HiddenRecord {
  const said = entries.filter((_, at) => isAnswerAt(entries, at, form));
  return {
    before: numbersBefore(list, form).at(-1) ?? 0,
    said: saidBy(said, form, hiddenTool),
    entries,
    results,
  };
}

/** Records that no history used lately: those of other forks, and of what an agent went back behind. */
const mostUnused = 50;

/** Records with one more. All that are used stay, and the newest of the others. */
export function withRecord(
  all: readonly HiddenRecord[],
  used: readonly HiddenRecord[],
  record: HiddenRecord,
): readonly HiddenRecord[] {
  const keyOf = ({ before, said }: HiddenRecord) => `${before} ${said}`;
  const known = new Set([...used, record].map(keyOf));
  return [...all.filter((one) => !known.has(keyOf(one))).slice(-mostUnused), ...used, record];
}

function isAnswerAt(list: readonly unknown[], at: number, form: AnsweringForm): boolean {
  const entry = list[at];
  return isFields(entry) && form.answers.isAnswer(entry);
}

/** Some agents write the time into their system prompt. */
export function isSystem(entry: unknown): boolean {
  return isFields(entry) && (entry.role === 'system' || entry.role === 'developer');
}

/**
 * A number for what an agent has of an answer: its texts and its calls. Blanks, reasoning and calls of the hidden tool do not count, since
 * agents keep them as they like.
 */
function saidBy(entries: readonly unknown[], form: AnsweringForm, hiddenTool: string): number {
  const parts = form.codec.toMessages(entries).flatMap(partsOf);
  const texts = parts.map((part) => (part.type === 'text' ? bare(part.text) : ''));
  const calls = parts.flatMap((part) => {
    if (part.type !== 'tool-call' || part.toolName === hiddenTool) return [];
    // Some agents leave out the ids of Gemini's calls.
    return `${part.toolName} ${form.provider === 'google' ? textsIn(part.input) : part.toolCallId}`;
  });
  return digestOf(digestOf(0, texts.join('')), calls.join('\n'));
}

/** What says nothing, or is at another place in the next request. */
const formal = ['cache_control', 'id', 'status', 'type', 'role'];

/**
 * All texts and numbers in a value, without blanks and what agents add to the newest message for one request only, in an order that does not
 * depend on that of its keys.
 */
export function textsIn(value: unknown): string {
  if (typeof value === 'string') return bare(withoutAdditions(value));
  if (Array.isArray(value)) return value.map(textsIn).join('');
  if (!isFields(value)) return value === null || value === undefined ? '' : String(value);
  return Object.keys(value)
    .filter((key) => !formal.includes(key))
    .sort()
    .map((key) => textsIn(value[key]))
    .join('');
}

function bare(text: string): string {
  return text.replace(/\s+/g, '');
}

/** The tags around what agents add for one request: they leave it out, or write another, in the next one. */
const additions = ['system-reminder', 'environment_details', 'environment_context'];

function withoutAdditions(text: string): string {
  let kept = text;
  for (const name of additions) {
    const [opening, closing] = [`<${name}>`, `</${name}>`];
    const [first = '', ...others] = kept.split(opening);
    kept = [
      first,
      ...others.map((other) => {
        const end = other.indexOf(closing);
        return end < 0 ? `${opening}${other}` : other.slice(end + closing.length);
      }),
    ].join('');
  }
  return kept;
}
