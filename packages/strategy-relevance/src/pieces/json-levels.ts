import { beforePair } from './long-lines.js';

const longestKey = 40;
const longestPath = 80;

/** An object or array that is open. */
export interface Level {
  readonly open: number;
  /** White space between tokens from the start up to `open`; `keyBlanks` and `runBlanks` are the same for their places. */
  readonly openBlanks: number;
  readonly isArray: boolean;
  /** How many pieces there were when it opened. */
  readonly mark: number;
  /** Number of the element that is being read. */
  index: number;
  keyStart: number;
  keyEnd: number;
  keyBlanks: number;
  /** Scalar members that follow each other and have no piece yet; -1 for none. */
  runStart: number;
  runEnd: number;
  runBlanks: number;
  runIndex: number;
  /** Whether the run is the last piece already, put there because an object or array opened. */
  isRunAdded: boolean;
  path: string | undefined;
}

/** What stands before a member of an open level: its path up to its key, or its place in the array. */
export function labelOf(text: string, levels: readonly Level[], level: Level, index: number): string {
  const path = pathOf(text, levels, level);
  if (level.isArray) return `${path}[${index}]: `;
  return path ? `${path}.` : '';
}

function pathOf(text: string, levels: readonly Level[], level: Level): string {
  if (level.path !== undefined) return level.path;
  const depth = levels.indexOf(level);
  let from = depth;
  while (from > 0 && (levels[from - 1] as Level).path === undefined) from--;
  for (let at = from; at <= depth; at++) {
    const parent = levels[at - 1];
    const here = levels[at] as Level;
    if (!parent) here.path = '';
    else {
      const step = parent.isArray ? `[${parent.index}]` : keyOf(text, parent);
      const path = parent.path && !parent.isArray ? `${parent.path}.${step}` : parent.path + step;
      here.path = path.length > longestPath ? `…${step}` : path;
    }
  }
  return level.path ?? '';
}

/** The key of the member that is being read, without its quotes. */
export function keyOf(text: string, level: Level): string {
  const start = level.keyStart + 1;
  const end = level.keyEnd - 1;
  return text.slice(start, end - start > longestKey ? beforePair(text, start + longestKey) : end);
}
