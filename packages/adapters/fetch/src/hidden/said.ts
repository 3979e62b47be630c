import { digestOf } from '@ctx/core/kit';
import { type Fields, isFields, listOf } from './answer-form.js';

/** Calls as items of a history; those with a name and without are told apart by their ids. */
const callItems = /_call$/;

/**
 * A number for what an agent has of an answer: its texts and its calls. Blanks, reasoning and calls of the hidden tool do not count, since
 * agents keep them as they like.
 */
export function saidBy(entries: readonly unknown[], hiddenTool: string): number {
  const texts: string[] = [];
  const calls: string[] = [];
  for (const entry of entries.filter(isFields)) {
    if (entry.type === 'reasoning') continue;
    if (typeof entry.content === 'string') texts.push(entry.content);
    for (const part of [...listOf(entry.content), ...listOf(entry.parts)])
      if (typeof part.text === 'string' && part.thought !== true) texts.push(part.text);
    for (const call of callsIn(entry)) if (call.name !== hiddenTool) calls.push(call.told);
  }
  return digestOf(digestOf(0, bare(texts.join(''))), calls.join('\n'));
}

interface Call {
  readonly name: unknown;
  /** What tells it from other calls: its id, or its arguments if it has none. */
  readonly told: string;
}

function callsIn(entry: Fields): readonly Call[] {
  const parts = [...listOf(entry.content), ...listOf(entry.parts)];
  return [
    ...parts
      .filter(({ type }) => type === 'tool_use')
      .map(({ name, id }) => ({ name, told: `${name} ${id}` })),
    // Some agents leave out the ids of Gemini's calls.
    ...parts
      .map(({ functionCall }) => functionCall)
      .filter(isFields)
      .map(({ name, args }) => ({ name, told: `${name} ${textsIn(args)}` })),
    ...listOf(entry.tool_calls).map(({ id, function: called }) => {
      const name = isFields(called) ? called.name : undefined;
      return { name, told: `${name} ${id}` };
    }),
    ...(typeof entry.type === 'string' && callItems.test(entry.type)
      ? [{ name: entry.name, told: `${entry.name ?? entry.type} ${entry.call_id}` }]
      : []),
  ];
}

/** A number for what was said to the model after an answer, without what agents add to the newest message for one request only. */
export function askedIn(entries: readonly unknown[]): number {
  return digestOf(0, textsIn(entries));
}

/** What says nothing, or is at another place in the next request. */
const formal = ['cache_control', 'id', 'status', 'type', 'role'];

/** All texts and numbers in a value, without blanks, in an order that does not depend on that of its keys. */
function textsIn(value: unknown): string {
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
