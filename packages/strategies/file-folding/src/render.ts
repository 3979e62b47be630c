const opening = '<system-reminder>\n## File Context: ';

/** Writes what a file defines as a block. Neither the path nor a name can close the block. */
export function renderFile(path: string, lines: readonly string[]): string {
  return `${opening}${contained(path)}\n${lines.map(contained).join('\n')}\n</system-reminder>`;
}

/** Whether this package has folded the text. */
export function isFolded(text: string): boolean {
  return text.startsWith(foldedStart) || text.startsWith(opening);
}

const foldedStart = '[Folded ';

/** The line above the blocks that replace the text of a read. */
export function foldedNote(lines: number): string {
  return `${foldedStart}from ${lines} lines to the names of what is defined in them; read the file again for its text.]`;
}

function contained(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/<(\/?system-reminder)/gi, '&lt;$1');
}
