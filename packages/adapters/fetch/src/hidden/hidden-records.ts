import { digestOf } from '@ctx/core/kit';
import { type AnswerForm, type Fields, isFields } from './answer-form.js';
import { askedIn, saidBy } from './said.js';

/** An answer of which the agent was shown only a part. */
export interface HiddenRecord {
  /** Where the answer is in the history that the agent has. */
  readonly at: number;
  /** Of the history up to the answer before it, as the agent has it. */
  readonly hash: number;
  /** Of what was said to the model after that answer. */
  readonly asked: number;
  /** Of what the agent was shown of this answer. Forks of a conversation have their own answers at the same place. */
  readonly said: number;
  /** The whole answer: all that the model said, and the results of hidden calls in between. */
  readonly entries: readonly unknown[];
  /** Results of hidden calls that were made beside calls of the agent's tools. */
  readonly results: readonly unknown[];
}

/** A history with what the agent does not know of, and the records that were used. */
export interface WholeHistory {
  readonly list: readonly unknown[];
  readonly records: readonly HiddenRecord[];
}

/** The agent's history with each recorded answer in the place of the part that the agent has. */
export function wholeHistory(
  list: readonly unknown[],
  records: readonly HiddenRecord[],
  form: AnswerForm,
  hiddenTool: string,
): WholeHistory {
  if (records.length === 0) return { list, records };
  const anchors = anchorsOf(list, form);
  const whole: unknown[] = [];
  const used: HiddenRecord[] = [];
  for (let at = 0; at < list.length; ) {
    const end = answerEnd(list, at, form);
    const here = end === at ? [] : records.filter((one) => one.at === at && one.hash === anchors[at]);
    const [asked, said] =
      here.length === 0 ? [] : [askedBefore(list, at, form), saidBy(list.slice(at, end), hiddenTool)];
    const found = here.find((one) => one.asked === asked && one.said === said);
    if (found === undefined) {
      whole.push(list[at]);
      at += 1;
      continue;
    }
    used.push(found);
    at = end;
    whole.push(...found.entries);
    if (found.results.length === 0) continue;
    whole.push(...form.joined(found.results, list[at]));
    at += 1;
  }
  return { list: whole, records: used };
}

/** Where the answer that begins at a place ends; the place itself if none does. */
function answerEnd(list: readonly unknown[], at: number, form: AnswerForm): number {
  let end = at;
  while (isAnswerAt(list, end, form) && (end === at || form.hasManyEntries)) end += 1;
  return end;
}

/** Of what is before a place, after the answer before it. */
function askedBefore(list: readonly unknown[], at: number, form: AnswerForm): number {
  let start = at;
  while (start > 0 && !isAnswerAt(list, start - 1, form)) start -= 1;
  return askedIn(list.slice(start, at).filter((entry) => !isSystem(entry)));
}

/** The record of an answer that comes after a history. */
export function recordAfter(
  list: readonly unknown[],
  { entries, results }: Pick<HiddenRecord, 'entries' | 'results'>,
  form: AnswerForm,
  hiddenTool: string,
): HiddenRecord {
  return {
    at: list.length,
    hash: anchorsOf(list, form)[list.length] ?? 0,
    asked: askedBefore(list, list.length, form),
    said: saidBy(
      entries.filter((_, at) => isAnswerAt(entries, at, form)),
      hiddenTool,
    ),
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
  const keyOf = ({ at, hash, asked, said }: HiddenRecord) => [at, hash, asked, said].join();
  const known = new Set([...used, record].map(keyOf));
  return [...all.filter((one) => !known.has(keyOf(one))).slice(-mostUnused), ...used, record];
}

/**
 * For each place the hash of what is before it, up to the newest answer: what came after that answer some agents add to, and leave out
 * again in the next request.
 */
function anchorsOf(list: readonly unknown[], form: AnswerForm): readonly number[] {
  const anchors = [0];
  let [hash, anchor] = [0, 0];
  for (const [at, entry] of list.entries()) {
    if (!isSystem(entry)) hash = digestOf(hash, meaningOf(entry));
    if (isAnswerAt(list, at, form)) anchor = hash;
    anchors.push(anchor);
  }
  return anchors;
}

function isAnswerAt(list: readonly unknown[], at: number, form: AnswerForm): boolean {
  const entry = list[at];
  return isFields(entry) && form.isAnswer(entry);
}

/** Some agents write the time into their system prompt. */
export function isSystem(entry: unknown): boolean {
  return isFields(entry) && (entry.role === 'system' || entry.role === 'developer');
}

/** What is at other places in the next request, or is skipped, and says nothing. */
const withoutMeaning = ['cache_control', 'id', 'status'];

/** An entry as text: two that say the same have the same. */
export function meaningOf(entry: unknown): string {
  return JSON.stringify(entry, (key, value: unknown) =>
    value === null || withoutMeaning.includes(key) ? undefined : isFields(value) ? sorted(value) : value,
  );
}

function sorted(value: Fields): Fields {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
