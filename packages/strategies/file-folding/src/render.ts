import type { Definition } from './definitions/definition.js';
import type { parseFoldOptions } from './fold-options.js';

type MergeOptions = Pick<ReturnType<typeof parseFoldOptions>, 'mergeFunctions' | 'maxLineSpan'>;

/**
 * Lists definitions by name, in the order of the source. Each class, interface and heading has its own line. Functions share a line as
 * long as they span at most `maxLineSpan` lines.
 */
export function mergeDefinitions(
  definitions: readonly Definition[],
  { mergeFunctions, maxLineSpan }: MergeOptions,
): string[] {
  const lines: string[] = [];
  let functions: Definition[] = [];
  const flush = () => {
    if (functions.length > 0) lines.push(`function ${functions.map(({ name }) => name).join(', ')}`);
    functions = [];
  };
  for (const definition of definitions) {
    const { kind, name, startLine, endLine } = definition;
    if (kind !== 'function') {
      flush();
      lines.push(kind === 'heading' ? `# ${name}` : `${kind} ${name}`);
      continue;
    }
    const from = functions[0]?.startLine ?? startLine;
    if (!mergeFunctions || endLine - from > maxLineSpan) flush();
    functions.push(definition);
  }
  flush();
  return lines;
}

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
