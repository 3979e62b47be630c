import type { Definition } from './definitions/definition.js';

export interface MergeOptions {
  /** Puts the names of functions that stand close together into one line. @default true */
  readonly mergeFunctions: boolean;
  /** Lines from the start of the first function of a line of names to the end of its last. @default 100 */
  readonly maxLineSpan: number;
}

/**
 * Definitions as lines, in the order of the source: each class, interface and heading by itself, and functions together as
 * long as they span at most `maxLineSpan` lines. Names only.
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
