import { isFields } from '@ctx/core/codec';
import { trailHeading } from '../excerpt-text.js';
import type { Section } from '../sections.js';
import { sizes } from '../weights.js';
import { outputOf } from './outcome.js';
import { lineOf, listOf, planLine, wordsOf } from './plan-items.js';
import { shortened } from './shortened.js';

/** Items of a plan that are shown. */
const mostItems = 30;

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
      status === undefined ? known.slice(0, 4) + shortened(wordsOf(text), sizes.line) : lineOf(status, text),
    );
    if (status === 'deleted') list.delete(number);
  }
  const lines = [...list.values()].slice(-mostItems);
  if (lines.every((line) => line.startsWith('[x]')) || later.some(({ call }) => listOf(call?.input)))
    return undefined;
  const isOld = [...sections.slice(newest), ...later].some(
    ({ kind, blocks }) => kind === 'user' && (blocks[0]?.text.length ?? 0) > sizes.name,
  );
  return { heading: planHeadings[isOld ? 1 : 0], lines };
}
