import type { SummarizeRequest } from '@ctx/core';
import type { History } from './history.js';
import { commandBlocks } from './history-text.js';

interface FileRead {
  readonly paths: readonly string[];
  readonly text: string;
}

/** The newest read of each file, newest first, at most `most`. */
function recentReads({ outcomes }: History, most: number): FileRead[] {
  const reads = new Map<string, FileRead>();
  for (const { outcome } of [...outcomes].reverse()) {
    if (reads.size === most) break;
    const { read, isError } = outcome;
    const key = read.join('\n');
    if (read.length > 0 && !isError && !reads.has(key)) reads.set(key, { paths: read, text: outcome.text() });
  }
  return [...reads.values()];
}

/** The number of recently read files that are folded. These are being worked on now, and are small compared with a summary. */
const foldedFiles = 10;

/** The text after the summary: the directives that still hold, recently read files, folded, and the environment details. */
export async function extrasOf(
  request: SummarizeRequest,
  history: History,
  options: { readonly environmentDetails?: (() => string | Promise<string>) | undefined },
): Promise<string> {
  const { originals, automatic, maxTokens, tokensOf } = request;
  const commands = commandBlocks(originals[0]?.message);
  const workflows =
    commands.length === 0
      ? ''
      : `<system-reminder>\n## Active Workflows\nThe following directives must be maintained across all future condensings:\n${commands.join('\n')}\n</system-reminder>`;
  const environment =
    automatic && options.environmentDetails !== undefined ? await options.environmentDetails() : '';
  const files = await foldedReads(request, history, Math.floor(maxTokens * 0.2));
  const parts = [workflows, files, environment].filter((part) => part.trim() !== '');
  return tokensOf(parts.join('\n\n')) <= maxTokens / 2 ? parts.join('\n\n') : workflows;
}

/** The most recently read files, folded, within `roomTokens`. */
async function foldedReads(
  { folder, tokensOf, signal }: SummarizeRequest,
  history: History,
  roomTokens: number,
): Promise<string> {
  if (folder === undefined) return '';
  const blocks: string[] = [];
  let left = roomTokens;
  for (const { paths, text } of recentReads(history, foldedFiles)) {
    const block = await folder.fold({ text, paths, signal }).catch(() => '');
    const inner = block.slice(block.indexOf('<system-reminder>'));
    const tokens = tokensOf(inner);
    if (block === '' || tokens > left) continue;
    left -= tokens;
    blocks.push(inner);
  }
  return blocks.join('\n\n');
}
