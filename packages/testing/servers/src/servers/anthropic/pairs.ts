import type { Fields } from '@ctx/core/codec';
import { invalid } from '../dialect.js';
import { blocksOf } from './blocks.js';

/** Neighbours of one role count as one message; a system message in the middle does not part its neighbours. */
interface Run {
  readonly role: unknown;
  readonly blocks: { readonly block: Fields; readonly message: number; readonly at: number }[];
}

/** Refuses calls without results, results without calls, and results that do not come first. */
export function checkPairs(messages: readonly Fields[]): void {
  const runs: Run[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'system') continue;
    const placed = blocksOf(message).map((block, at) => ({ block, message: index, at }));
    const last = runs.at(-1);
    if (last !== undefined && last.role === message.role) last.blocks.push(...placed);
    else runs.push({ role: message.role, blocks: placed });
  }
  checkIds(runs);
  for (const [at, run] of runs.entries()) {
    if (run.role === 'assistant') checkCalls(run, runs[at + 1]);
    else checkResults(run, runs[at - 1]);
  }
}

function checkIds(runs: readonly Run[]): void {
  const ids = runs.flatMap(({ blocks }) =>
    blocks.filter(({ block }) => block.type === 'tool_use').map(({ block }) => block.id),
  );
  if (new Set(ids).size < ids.length) throw invalid('messages: `tool_use` ids must be unique');
}

/** Every call has its result at the beginning of the next message. */
function checkCalls({ blocks }: Run, next: Run | undefined): void {
  const calls = blocks.filter(({ block }) => block.type === 'tool_use');
  const [first] = calls;
  // A call at the very end is an answer that the client wants to go on.
  if (first === undefined) return;
  const others = next?.blocks.findIndex(({ block }) => block.type !== 'tool_result') ?? 0;
  const results = next?.blocks.slice(0, others < 0 ? undefined : others) ?? [];
  const answered = results.map(({ block }) => block.tool_use_id);
  const missing = calls.map(({ block }) => block.id).filter((id) => !answered.includes(id));
  if (missing.length === 0) return;
  throw invalid(
    `messages.${first.message}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  );
}

function checkResults({ blocks }: Run, before: Run | undefined): void {
  const calls = before?.blocks.filter(({ block }) => block.type === 'tool_use') ?? [];
  const ids = calls.map(({ block }) => block.id);
  const seen = new Set<unknown>();
  for (const { block, message, at } of blocks) {
    if (block.type !== 'tool_result') continue;
    const { tool_use_id: id } = block;
    const place = `messages.${message}.content.${at}`;
    if (!ids.includes(id))
      throw invalid(
        `${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${String(id)}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      );
    if (seen.has(id))
      throw invalid(
        `${place}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${String(id)}`,
      );
    seen.add(id);
  }
}
