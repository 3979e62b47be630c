import { isFields } from '@ctx/core/codec';
import { trailHeading } from '../excerpt-text.js';
import type { Section } from '../sections.js';
import { outputOf, shortened } from './outcome.js';

/** An item of a plan, as agents' tools for plans and to-do lists name its fields. */
const textFields = ['content', 'step', 'text', 'title', 'task', 'subject', 'description'];
const doneWords = /^(?:completed?|done|finished|x)$/i;
const openWords = /^(?:pending|open|todo|not[_-]started|)$/i;
/** Items, and UTF-16 units of one. */
const mostItems = 30;
const longestItem = 160;

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

function lineOf(state: unknown, text: unknown): string {
  const word = wordsOf(state).trim();
  const mark = doneWords.test(word) ? 'x' : openWords.test(word) ? ' ' : '>';
  return `[${mark}] ${shortened(wordsOf(text), longestItem)}`;
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** UTF-16 units of a message of the user up to which it is taken for a nod, and for no new task. A limit. */
const longestNod = 30;

/** The heading of a plan, and of one from before a new task. */
const marks = '([x] done, [>] in progress, [ ] open):';
export const planHeadings = [
  `the newest plan or to-do list ${marks}`,
  `the plan from before what the user said last ${marks}`,
] as const;

export interface ShownPlan {
  readonly heading: string;
  readonly lines: readonly string[];
}

/**
 * The newest plan or to-do list, with the states that the agent gave it last; undefined if all of it is done, or a newer one stays.
 * @param later sections that stay in the view
 */
export function planIn(sections: readonly Section[], later: readonly Section[]): ShownPlan | undefined {
  // Some agents set the whole list, and others add and change one task after the other.
  let list = new Map<string, string>();
  let newest = 0;
  for (const [position, section] of sections.entries()) {
    const { call, kind, heading, blocks } = section;
    if (kind === 'failure') continue;
    const before = heading === trailHeading ? blocks.flatMap(({ text }) => text.split('\n')) : [];
    const lines = listOf(call?.input) ?? before.filter((line) => planLine.test(line));
    if (lines.length > 0) list = new Map(lines.map((line, at) => [`line ${at}`, line]));
    const [, change] = /^task_?(create|update)$/i.exec(call?.toolName ?? '') ?? [];
    if (lines.length > 0 || change !== undefined) newest = position;
    if (change === undefined || !isFields(call?.input)) continue;
    const { taskId, id = taskId, subject, description, status } = call.input;
    const number = /create/i.test(change)
      ? (/#(\w+)/.exec(outputOf(section))?.[1] ?? `${list.size}`)
      : wordsOf(id);
    const known = list.get(number) ?? lineOf('', description ?? `task ${number}`);
    const text = subject ?? known.replace(planLine, '');
    list.set(
      number,
      status === undefined ? known.slice(0, 4) + shortened(wordsOf(text), longestItem) : lineOf(status, text),
    );
    if (status === 'deleted') list.delete(number);
  }
  const lines = [...list.values()].slice(-mostItems);
  if (lines.every((line) => line.startsWith('[x]')) || later.some(({ call }) => listOf(call?.input)))
    return undefined;
  const isOld = [...sections.slice(newest), ...later].some(
    ({ kind, blocks }) => kind === 'user' && (blocks[0]?.text.length ?? 0) > longestNod,
  );
  return { heading: planHeadings[isOld ? 1 : 0], lines };
}
