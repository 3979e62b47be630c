import {
  filesOf,
  isErrorResult,
  type Message,
  outputText,
  partsOf,
  type SummarizeRequest,
  type ToolCallPart,
  toolCallsOf,
} from '@ctx/core';
import { fileReadTools } from '@ctx/core/kit';

/** The number of recently read files that are folded: these are being worked on now. A limit. */
const foldedFiles = 10;
/** The share of a summary that the folded files may have. A limit. */
const filesShare = 0.2;

/** The text after the summary: the directives that still hold, recently read files, folded, and the environment details. */
export async function extrasOf(
  request: SummarizeRequest,
  environmentDetails: (() => string | Promise<string>) | undefined,
): Promise<string> {
  const { originals, automatic, maxTokens, tokensOf } = request;
  const commands = commandBlocks(originals[0]?.message);
  const workflows =
    commands.length === 0
      ? ''
      : `<system-reminder>\n## Active Workflows\nThe following directives must be maintained across all future condensings:\n${commands.join('\n')}\n</system-reminder>`;
  const environment = (automatic && (await environmentDetails?.())) || '';
  const files = await foldedReads(request, Math.floor(maxTokens * filesShare));
  const parts = [workflows, files, environment].filter((part) => part.trim() !== '');
  return tokensOf(parts.join('\n\n')) <= maxTokens / 2 ? parts.join('\n\n') : workflows;
}

/** The `<command>` blocks of a user message: directives that hold for the whole conversation. Takes linear time. */
export function commandBlocks(message: Message | undefined): readonly string[] {
  if (message?.role !== 'user') return [];
  return partsOf(message).flatMap((part) => {
    const closed = part.type === 'text' ? part.text.split('</command>').slice(0, -1) : [];
    return closed.flatMap((text) => {
      const start = text.indexOf('<command');
      return start < 0 ? [] : [`${text.slice(start)}</command>`];
    });
  });
}

/** The most recently read files, folded, within `roomTokens`. */
async function foldedReads(request: SummarizeRequest, roomTokens: number): Promise<string> {
  const { folder, tokensOf, signal } = request;
  if (folder === undefined) return '';
  const blocks: string[] = [];
  let left = roomTokens;
  for (const { paths, text } of recentReads(request)) {
    const block = await folder.fold({ text, paths, signal }).catch(() => '');
    const inner = block.slice(block.indexOf('<system-reminder>'));
    const tokens = tokensOf(inner);
    if (block === '' || tokens > left) continue;
    left -= tokens;
    blocks.push(inner);
  }
  return blocks.join('\n\n');
}

/** The newest read of each file, newest first. */
function recentReads({ originals }: SummarizeRequest) {
  const reads = new Map<string, { readonly paths: readonly string[]; readonly text: string }>();
  const calls = new Map<string, ToolCallPart>();
  for (const { message } of originals) {
    for (const call of toolCallsOf(message)) calls.set(call.toolCallId, call);
    if (message.role !== 'tool') continue;
    for (const result of message.content) {
      const call = calls.get(result.toolCallId);
      const paths = call === undefined ? [] : filesOf(call, fileReadTools);
      if (paths.length === 0 || isErrorResult(result)) continue;
      const key = paths.join('\n');
      reads.delete(key);
      reads.set(key, { paths, text: outputText(result.output) });
    }
  }
  return [...reads.values()].reverse().slice(0, foldedFiles);
}
