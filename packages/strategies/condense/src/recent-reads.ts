import type { History } from './history.js';

export interface FileRead {
  readonly paths: readonly string[];
  readonly text: string;
}

/** The newest read of each file, newest first, at most `most`. */
export function recentReads({ outcomes }: History, most: number): FileRead[] {
  const reads = new Map<string, FileRead>();
  for (const { outcome } of [...outcomes].reverse()) {
    if (reads.size === most) break;
    const { read, isError } = outcome;
    const key = read.join('\n');
    if (read.length > 0 && !isError && !reads.has(key)) reads.set(key, { paths: read, text: outcome.text() });
  }
  return [...reads.values()];
}
