import type { ToolCallPart } from '@ctx/core';

/** An item of a plan, as agents' tools for plans and to-do lists name its fields. */
const textFields = ['content', 'step', 'text', 'title', 'task', 'description', 'subject'];
const doneWords = ['completed', 'done', 'complete', 'finished'];
const atWorkWords = ['in_progress', 'in-progress', 'active', 'doing', 'current'];
/** Items, and UTF-16 units of one. */
const mostItems = 30;
const longestItem = 160;

/** The lines of a plan or to-do list that a call sets, as `[x] read the tests`; undefined if it sets none. */
export function planOf({ input }: ToolCallPart): readonly string[] | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  for (const value of Object.values(input)) {
    if (!Array.isArray(value) || value.length === 0) continue;
    const lines = value.slice(0, mostItems).map(lineOf);
    if (lines.every((line) => line !== undefined)) return lines;
  }
  return undefined;
}

function lineOf(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const fields = item as Record<string, unknown>;
  const name = textFields.find((one) => typeof fields[one] === 'string');
  const { status, done, completed } = fields;
  if (
    name === undefined ||
    (typeof status !== 'string' && typeof done !== 'boolean' && typeof completed !== 'boolean')
  )
    return undefined;
  const state = String(status ?? '').toLowerCase();
  const isDone = done === true || completed === true || doneWords.includes(state);
  const mark = isDone ? 'x' : atWorkWords.includes(state) ? '>' : ' ';
  return `[${mark}] ${String(fields[name]).replace(/\s+/g, ' ').trim().slice(0, longestItem)}`;
}
