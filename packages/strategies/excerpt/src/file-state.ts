import type { ToolCallPart } from '@ctx/core';
import { fileReadTools, fileToolOf, fileWriteTools, pathsOf } from '@ctx/core/kit';
import { argumentsOf } from './call-title.js';
import type { Section } from './sections.js';
import { actionsOf } from './trail/action.js';
import { repeatedWeight } from './weights.js';

/** A file whose text a call shows: as it is (`read`, `wrote`), or as a part of it has become (`edited`). */
export interface FileAccess {
  readonly path: string;
  readonly how: 'read' | 'wrote' | 'edited';
  /** Whether only a part of the file was asked for. */
  readonly isPart: boolean;
}

/** Commands that print a file. */
const printing = new Set(['cat', 'head', 'tail', 'nl', 'less', 'more', 'bat', 'sed', 'awk']);
/** Arguments that ask for a part. */
const partArguments = [
  'offset',
  'limit',
  'start_line',
  'end_line',
  'startLine',
  'endLine',
  'view_range',
  'range',
  'ranges',
];

/** The file whose text a call and its result show; undefined if there is none, or more than one. */
export function fileAccessOf(call: ToolCallPart, actions = actionsOf(call)): FileAccess | undefined {
  const action = actions.find(({ verb }) => verb === 'edited' || verb === 'wrote');
  if (action !== undefined)
    return { path: action.object, how: action.verb as 'edited' | 'wrote', isPart: action.verb === 'edited' };
  if (fileToolOf(call, fileWriteTools) !== undefined) return undefined;
  const { toolName, input } = call;
  const tool = fileToolOf(call, fileReadTools);
  const fields = typeof input === 'object' && input !== null ? input : {};
  if (tool !== undefined) {
    const [path, another] = pathsOf(input, { names: [toolName] });
    if (path === undefined || another !== undefined) return undefined;
    return { path, how: 'read', isPart: partArguments.some((name) => name in fields) };
  }
  return printedBy(argumentsOf(call).main ?? '');
}

/** The file that a command prints, as `cd app && sed -n '1,80p' src/a.ts | head` does. */
function printedBy(command: string): FileAccess | undefined {
  for (const part of command.split(/[|;\n]|&&/)) {
    const [name = '', ...rest] = part.trim().split(/\s+/);
    if (!printing.has(name)) continue;
    const file = rest.map((word) => word.replace(/["']/g, '')).findLast(isFile);
    return file === undefined ? undefined : { path: file, how: 'read', isPart: name !== 'cat' };
  }
  return undefined;
}

function isFile(word: string): boolean {
  return !word.startsWith('-') && (word.includes('/') || /\.\w+$/.test(word));
}

/**
 * A factor on the worth of each section, 0–1. Of each file only the newest state counts: what was read or written before it was written
 * again, and the text of an edit that a later edit replaced, are worth little.
 */
export function stateWeights(
  sections: readonly Section[],
  accesses: readonly (FileAccess | undefined)[],
): Float64Array {
  const weights = new Float64Array(sections.length).fill(1);
  const newer = new Map<string, { isShown: boolean; isEdited: boolean; replaced: string[] }>();
  for (let position = sections.length - 1; position >= 0; position -= 1) {
    const section = sections[position] as Section;
    if (section.kind === 'failure') {
      // What was tried and not done since is still to be done.
      const tried = accesses[position];
      if (tried?.how !== 'read' && tried !== undefined && newer.get(tried.path)?.isEdited === true)
        weights[position] = repeatedWeight;
      continue;
    }
    const access = section.kind === 'call' ? accesses[position] : undefined;
    if (access === undefined) continue;
    const { path, how, isPart } = access;
    const known = newer.get(path) ?? { isShown: false, isEdited: false, replaced: [] };
    newer.set(path, known);
    const isStale = how === 'edited' ? isWithin(section, known.replaced) : known.isShown;
    if (isStale) weights[position] = repeatedWeight;
    if (how === 'edited') {
      known.isEdited = true;
      known.replaced.push(...oldTexts(section));
    } else if (!isPart) known.isShown = true;
  }
  return weights;
}

function isWithin({ blocks }: Section, replaced: readonly string[]): boolean {
  const text = (blocks.find(({ voice }) => voice === 'agent')?.text ?? '').trim();
  return text !== '' && replaced.some((one) => one.includes(text));
}

/** The lines that an edit repeats from the text that it replaces. */
export function repeatedLines(section: Section): ReadonlySet<string> {
  return new Set(oldTexts(section).flatMap((text) => text.split('\n').map((line) => line.trim())));
}

/** The texts that an edit replaces. */
export function oldTexts({ call }: Section): string[] {
  const input = call?.input;
  if (typeof input !== 'object' || input === null) return [];
  return Object.entries(input).flatMap(([name, value]) =>
    /^old/i.test(name) && typeof value === 'string' ? [value] : [],
  );
}
