import { type Message, toolCallsOf } from '@ctx/core';
import { isFields } from '@ctx/core/codec';
import type { BenchSession } from './bench-session.js';
import { remembered } from './remembered.js';
import { leavesOf, sourcesOf } from './spoken.js';

/** How much of what an edit replaces a view shows. */
export interface EditSight {
  /** Every line is somewhere in the view. */
  readonly whole: boolean;
  /** The lines of each replaced text are next to each other in one message of the view. Implies `whole`. */
  readonly block: boolean;
}

/** The texts that an edit replaces, each as its lines. */
type OldTexts = readonly (readonly string[])[];

/** For each message the texts that it replaces, if it edits and every line of them occurs in an earlier message; otherwise undefined. */
export const seenEditsOf = remembered(
  ({ messages }: BenchSession): readonly (OldTexts | undefined)[] =>
    messages.map((message, index) => {
      const texts = oldTextsOf(message);
      const isSeen = texts.length > 0 && texts.flat().every((line) => shows(messages, line, index));
      return isSeen ? texts : undefined;
    }),
  new WeakMap(),
);

/** Whether a view shows what an edit replaces, without regard to line numbers, marks of a diff, indentation and blank lines. */
export function sightOf(texts: OldTexts, view: readonly Message[]): EditSight {
  const block = texts.every((lines) => view.some((message) => standsIn(message, lines)));
  return { whole: block || texts.flat().every((line) => shows(view, line)), block };
}

function shows(messages: readonly Message[], line: string, end = messages.length): boolean {
  for (let index = end - 1; index >= 0; index -= 1)
    if (joinedOf(messages[index] as Message).includes(line)) return true;
  return false;
}

/** A line may have a number or a path before it, and a replaced text may begin and end inside a line. */
function standsIn(message: Message, lines: readonly string[]): boolean {
  if (!lines.every((line) => joinedOf(message).includes(line))) return false;
  const said = linesOf(message);
  return said.some((_, at) => lines.every((line, offset) => said[at + offset]?.includes(line) === true));
}

const joinedOf = remembered((message: Message) => linesOf(message).join('\n'), new WeakMap());

function linesOf(message: Message): string[] {
  return sourcesOf(message).flatMap((text) => solid((decoded(text) ?? text).split('\n')));
}

/** The texts inside of a result that is JSON, one after the other. */
function decoded(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return leavesOf(JSON.parse(text), { keys: true }).join('\n');
  } catch {
    return undefined;
  }
}

/** Arguments that hold the text to be replaced. */
const oldNames = new Set(['old_string', 'oldText', 'old_str', 'oldString', 'old_text']);
/** Arguments that hold it if the same object names the new text; alone they may be a query. */
const searchNames = new Set(['search', 'find']);
const replaceNames = ['replace', 'replacement'];
/** Arguments that hold the text of a new file, which may quote a patch. */
const newNames =
  /^(?:content|contents|file_text|text|new_string|newText|new_str|newString|replace|replacement)$/;
/** Levels; deeper is no argument that somebody wrote. */
const deepest = 20;

/**
 * The texts that a message's calls replace, each as its lines, without indentation and blank lines: old texts in arguments, the context
 * and removed lines of each hunk of a patch, and the first halves of search-and-replace blocks. Empty if it edits nothing.
 */
export function oldTextsOf(message: Message): string[][] {
  return toolCallsOf(message)
    .flatMap(({ input }) => within(input))
    .filter((lines) => lines.length > 0);
}

function within(value: unknown, depth = 0): string[][] {
  if (depth > deepest) return [];
  if (typeof value === 'string') return [...hunksOf(value), ...blocksOf(value)];
  if (Array.isArray(value)) return value.flatMap((item) => within(item, depth + 1));
  if (!isFields(value)) return [];
  const replaces = replaceNames.some((name) => typeof value[name] === 'string');
  return Object.entries(value).flatMap(([name, item]) => {
    const isOld = oldNames.has(name) || (replaces && searchNames.has(name));
    if (isOld && typeof item === 'string') return [solid(item.split('\n'))];
    return newNames.test(name) && typeof item === 'string' ? [] : within(item, depth + 1);
  });
}

/** The lines that say something, without indentation. */
function solid(lines: readonly string[]): string[] {
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}

const patchStart = /^(?:@@ -\d+(?:,\d+)? \+\d+|\*\*\* Update File: )/m;

/** The context and removed lines of each hunk, of a unified diff or of a patch with `*** Update File`. */
function hunksOf(text: string): string[][] {
  if (!patchStart.test(text)) return [];
  const hunks: string[][] = [];
  let open: string[] | undefined;
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    const isHeader = line.startsWith('--- ') && lines[index + 1]?.startsWith('+++ ') === true;
    if (line.startsWith('@@') || line.startsWith('*** Update File: ')) {
      open = [];
      hunks.push(open);
    } else if (isHeader || !/^(?:[ +\-\\]|\*\*\* Move to: |\s*$)/.test(line)) open = undefined;
    else if (/^[ -]/.test(line)) open?.push(line.slice(1));
  }
  return hunks.map(solid);
}

/** What stands between a line `<<<<<<< SEARCH` or `------- SEARCH` and a line `=======`. */
function blocksOf(text: string): string[][] {
  if (!text.includes(' SEARCH')) return [];
  const blocks: string[][] = [];
  let open: string[] | undefined;
  for (const line of text.split('\n')) {
    if (/^(?:<{5,}|-{5,}) SEARCH>?$/.test(line.trim())) {
      open = [];
      blocks.push(open);
    } else if (/^={5,}$/.test(line.trim())) open = undefined;
    else open?.push(line);
  }
  return blocks.map(solid);
}
