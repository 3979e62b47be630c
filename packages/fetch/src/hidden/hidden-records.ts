import { digestOf } from '@ctx/core/kit';
import { type AnswerForm, type Fields, isFields } from './answer-form.js';

/** An answer of which the agent was shown only a part. */
export interface HiddenRecord {
  /** Where the answer stands in the history that the agent has. */
  readonly at: number;
  /** Of the history up to the answer before it, as the agent has it. */
  readonly hash: number;
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
): WholeHistory {
  if (records.length === 0) return { list, records };
  const anchors = anchorsOf(list, form);
  const whole: unknown[] = [];
  const used: HiddenRecord[] = [];
  for (let at = 0; at < list.length; ) {
    const found = isAnswerAt(list, at, form)
      ? records.find((record) => record.at === at && record.hash === anchors[at])
      : undefined;
    if (found === undefined) {
      whole.push(list[at]);
      at += 1;
      continue;
    }
    used.push(found);
    at += 1;
    while (form.hasManyEntries && isAnswerAt(list, at, form)) at += 1;
    whole.push(...found.entries);
    if (found.results.length === 0) continue;
    whole.push(...form.joined(found.results, list[at]));
    at += 1;
  }
  return { list: whole, records: used };
}

/** The hash under which an answer is recorded that comes after a history. */
export function anchorAfter(list: readonly unknown[], form: AnswerForm): number {
  return anchorsOf(list, form)[list.length] ?? 0;
}

/**
 * For each place the hash of what stands before it, up to the newest answer: what came after that answer some agents add to, and leave out
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

/** What stands at other places in the next request, or is left out, and says nothing. */
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
