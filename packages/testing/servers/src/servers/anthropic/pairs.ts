import type { Fields } from '@ctx/core/codec';
import { invalid } from '../dialect.js';
import { blocksOf } from './blocks.js';

interface Placed {
  readonly role: unknown;
  readonly block: Fields;
  readonly message: number;
  readonly at: number;
}

const isCall = ({ block }: Placed) => block.type === 'tool_use';
const isResult = ({ block }: Placed) => block.type === 'tool_result';

/**
 * Refuses calls without results, results without calls, and results that do not come first. Neighbours of one role count as one message; a
 * system message in the middle does not part its neighbours.
 */
export function checkPairs(messages: readonly Fields[]): void {
  const runs: Placed[][] = [];
  for (const [index, message] of messages.entries()) {
    const { role } = message;
    if (role === 'system') continue;
    const placed = blocksOf(message).map((block, at) => ({ role, block, message: index, at }));
    const last = runs.at(-1);
    if (last?.[0]?.role === role) last?.push(...placed);
    else if (placed.length > 0) runs.push(placed);
  }
  const ids = runs.flatMap((run) => run.filter(isCall).map(({ block }) => block.id));
  if (new Set(ids).size < ids.length) throw invalid('messages: `tool_use` ids must be unique');
  for (const [at, run] of runs.entries()) {
    checkCalls(run.filter(isCall), runs[at + 1] ?? []);
    checkResults(run.filter(isResult), runs[at - 1] ?? []);
  }
}

/** Every call has its result at the beginning of the next message. */
function checkCalls(calls: readonly Placed[], next: readonly Placed[]): void {
  const others = next.findIndex((one) => !isResult(one));
  const answered = next.slice(0, others < 0 ? undefined : others).map(({ block }) => block.tool_use_id);
  const missing = calls.map(({ block }) => block.id).filter((id) => !answered.includes(id));
  if (missing.length === 0) return;
  throw invalid(
    `messages.${calls[0]?.message}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  );
}

function checkResults(results: readonly Placed[], before: readonly Placed[]): void {
  const due = new Set(before.filter(isCall).map(({ block }) => block.id));
  const seen = new Set<unknown>();
  for (const { block, message, at } of results) {
    const id = String(block.tool_use_id);
    const place = `messages.${message}.content.${at}`;
    if (!due.has(id))
      throw invalid(
        `${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      );
    if (seen.has(id))
      throw invalid(
        `${place}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
      );
    seen.add(id);
  }
}
