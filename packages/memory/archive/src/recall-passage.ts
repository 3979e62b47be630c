import type { Passage } from './passage.js';

/** The tool under the names that agents give to it: `recall`, `mcp__ctx__recall`, `ctx_recall`. */
const recallTool = /^(?:recall|\S*__recall|(?:\S*[^\sa-z0-9])?ctx[-_./]recall)(?: |$)/i;
/** The command, run by whatever tool runs commands. */
const recallCommand = /^\S+ (?:npx )?ctx recall\b/;

/** True for a call of recall and for what it brought: they have every word of their query, and say nothing that is not kept elsewhere. */
export function isRecalled({ kind, heading }: Passage): boolean {
  if (kind !== 'call' && kind !== 'result') return false;
  return recallTool.test(heading) || recallCommand.test(heading);
}
