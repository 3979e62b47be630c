const opening = '<system-reminder>\n## File Context: ';

/** What a file defines, in a block of its own that neither a path nor a name can close. */
export function renderFile(path: string, lines: readonly string[]): string {
  return `${opening}${contained(path)}\n${lines.map(contained).join('\n')}\n</system-reminder>`;
}

/** True for what this package has folded. */
export function isFolded(text: string): boolean {
  return text.startsWith(foldedStart) || text.startsWith(opening);
}

const foldedStart = '[Folded ';

/** The line above the blocks that stand for what was read. */
export function foldedNote(lines: number): string {
  return `${foldedStart}from ${lines} lines to the names of what is defined in them; read the file again for its text.]`;
}

function contained(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/<(\/?system-reminder)/gi, '&lt;$1');
}
