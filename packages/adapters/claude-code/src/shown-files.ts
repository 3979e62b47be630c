import type { Row } from './rows.js';

/**
 * Files that rows show whole, by path, as they were read. Those that a later call may have changed are left out. After a compaction Claude
 * Code does not know any more that they were read.
 */
export function shownFiles(rows: readonly Row[]): Map<string, string> {
  const texts = new Map(
    rows.flatMap(({ toolResults = [] }) => toolResults.map((one) => [one.tool_use_id, one])),
  );
  const files = new Map<string, string>();
  for (const { tool_use_id, tool, input } of rows.flatMap(({ toolUses }) => toolUses)) {
    const path = input.file_path;
    if (typeof path !== 'string') continue;
    files.delete(path);
    const result = texts.get(tool_use_id);
    if (tool !== 'Read' || result === undefined || result.isError || input.offset !== undefined) continue;
    files.set(path, result.text);
  }
  return files;
}

/** Whether a text is what Read shows of a file: its lines, each with its number before a tab. */
export function isShownWhole(file: string, shown: string): boolean {
  return [file, file.trimEnd()].some((text) => {
    const numbered = text.split('\n').map((line, at) => `${at + 1}\t${line}`);
    return numbered.join('\n').trimEnd() === shown.trimEnd();
  });
}
