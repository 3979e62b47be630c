import type { ToolCallPart } from '@ctx/core';
import { isFields, numberText } from '@ctx/core/codec';
import { outlineHeading, trailHeading } from './excerpt-text.js';
import { listOf } from './trail/plan-items.js';
import { deepestArgument, sizes } from './weights.js';

/** Names of the arguments that say what a call is about, the most important first. */
const mainNames = [
  'path',
  'file_path',
  'filePath',
  'notebook_path',
  'command',
  'cmd',
  'query',
  'pattern',
  'url',
  'file',
  'filename',
];
/** Zero-width and bidirectional characters, which can make two different names look alike. */
const invisible = /\p{Cf}/gu;
const lineBreaks = /[\n\r\u2028\u2029]/g;
/** Words with which the heading of what somebody said begins, here or in another program. */
const speakers = new Set(['user', 'human', 'assistant', 'ai', 'model', 'summary', 'system', 'developer']);

/** A call as one line, and the arguments that did not fit. */
export interface CallTitle {
  readonly title: string;
  readonly rest: readonly string[];
}

/** Writes a call as its tool's name, its path, command or query, cut if it is long, and its other short arguments. */
export function titleOf(call: ToolCallPart): CallTitle {
  // The newest plan is in the trail, and without its items' names their states say nothing.
  if (listOf(call.input) !== undefined) return { title: nameOf(call), rest: [] };
  const { main = '', rest: others0 } = argumentsOf(call);
  const edited = newTexts(call.input);
  const isCommand = isFields(call.input) && ('command' in call.input || 'cmd' in call.input);
  const rest = edited ?? (isCommand ? others0.filter((text) => !/^\d+$/.test(text)) : others0);
  const shown = beginningOf(main);
  let title = `${nameOf(call)} ${shown}`.trimEnd();
  const others: string[] = [];
  for (const text of rest) {
    if (text.length <= sizes.name && title.length + text.length <= sizes.title && !/[\n#]/.test(text))
      title += ` ${text}`;
    else others.push(text);
  }
  if (shown.length < main.length) title += '…';
  if (edited !== undefined)
    title += edited.every((text) => text.startsWith(removed)) ? ': removed text' : ': new text';
  title = title.replace(lineBreaks, ' ');
  if (title === trailHeading || title === outlineHeading) title += '()';
  const left = main.includes('\n') || main.length > sizes.line ? main.slice(shown.length) : '';
  return { title, rest: [left, ...others].filter((text) => text.trim() !== '') };
}

/** Names of the arguments that an edit replaces, and by what. */
const editNames = [
  ['old_string', 'new_string'],
  ['old_str', 'new_str'],
  ['oldText', 'newText'],
  ['oldString', 'newString'],
  ['search', 'replace'],
  ['old_string', 'content'],
] as const;

/** What an edit puts in place of what was there; undefined if the call is no such edit. Shown with the old text, neither could be told from the other. */
function newTexts(input: unknown): string[] | undefined {
  if (!isFields(input)) return undefined;
  const edits = Array.isArray(input.edits) ? input.edits : [input];
  const texts = edits.map((edit: unknown) => {
    if (!isFields(edit)) return undefined;
    const names = editNames.find(
      ([before, after]) => typeof edit[before] === 'string' && typeof edit[after] === 'string',
    );
    if (names === undefined) return undefined;
    const [before, after] = [String(edit[names[0]]), String(edit[names[1]])];
    return changedPart(before, after);
  });
  return texts.length > 0 && texts.every((text) => text !== undefined) ? texts : undefined;
}

/** What an edit changes, without the lines at its ends that it repeats from what was there. */
function changedPart(before: string, after: string): string {
  const [old, lines] = [before.split('\n'), after.split('\n')];
  const most = Math.min(old.length, lines.length);
  let start = 0;
  while (start < most && old[start] === lines[start]) start += 1;
  let end = 0;
  while (end < most - start && old[old.length - 1 - end] === lines[lines.length - 1 - end]) end += 1;
  const changed = lines.slice(start, lines.length - end).join('\n');
  if (changed.trim() !== '') return changed;
  return removed + beginningOfLines(old.slice(start, old.length - end).filter((line) => line.trim() !== ''));
}

/** How a text begins that was there before an edit, and is no more. */
const removed = '(removed) ';

/** The beginning of lines that an edit removes: a reader has to know which they were, and not what they said. */
function beginningOfLines(lines: readonly string[]): string {
  let shown = 0;
  for (let left = sizes.line; shown < lines.length && left > 0; shown += 1)
    left -= (lines[shown] as string).length;
  return lines.slice(0, shown).join('\n');
}

/** The name of a tool as a title begins with it. One that reads as a speaker's is written as a call, as `User()`. */
function nameOf({ toolName }: ToolCallPart): string {
  const visible = toolName.normalize('NFKC').replace(invisible, '').toLowerCase();
  const words = visible
    .split(/\s+/)
    .map((word) => word.replace(/[^\p{L}\p{N}]/gu, ''))
    .filter((word) => word !== '');
  // After a name without letters the first word of an argument would be read as the name.
  if (words.length === 0) return `tool ${toolName.trim()}`.trimEnd();
  return speakers.has(words[0] as string) ? `${toolName.trim()}()` : toolName;
}

/** As much of a text as fits into a title, up to the end of a word. A path or a command of one line is shown whole, if it is not very long. */
function beginningOf(text: string): string {
  if (text.length <= (text.includes('\n') ? sizes.title : sizes.line)) return text;
  const cut = text.slice(0, sizes.title);
  const end = Math.max(...[' ', '\n', '/'].map((separator) => cut.lastIndexOf(separator)));
  return end > sizes.title - sizes.name ? cut.slice(0, end + 1) : cut;
}

/** A call's path, command or query, and its other arguments, as strings. */
export function argumentsOf({ input }: ToolCallPart): { main: string | undefined; rest: string[] } {
  if (!isFields(input)) return { main: typeof input === 'string' ? input : undefined, rest: [] };
  const keys = Object.keys(input);
  const name =
    mainNames.find((one) => typeof input[one] === 'string') ??
    keys.find((one) => typeof input[one] === 'string' || typeof input[one] === 'number');
  const rest: string[] = [];
  for (const key of keys) if (key !== name) addLeaves(input, key, rest);
  return { main: name === undefined ? undefined : (numberText(input, name) ?? String(input[name])), rest };
}

function addLeaves(holder: object, key: string, leaves: string[], depth = 0): void {
  const value: unknown = (holder as Record<string, unknown>)[key];
  // Without its name, a flag says nothing.
  if (value === null || value === undefined || typeof value === 'boolean' || depth > deepestArgument) return;
  if (typeof value !== 'object') leaves.push(numberText(holder, key) ?? String(value));
  else for (const one of Object.keys(value)) addLeaves(value, one, leaves, depth + 1);
}
