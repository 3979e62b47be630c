import type { ToolCallPart } from '@ctx/core';
import { fileReadTools, fileToolOf, fileWriteTools, pathsOf } from '@ctx/core/kit';
import { argumentsOf } from './call-title.js';
import { actionsOf } from './trail/action.js';

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
export function fileAccessOf(call: ToolCallPart): FileAccess | undefined {
  const action = actionsOf(call).find(({ verb }) => verb === 'edited' || verb === 'wrote');
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
