import { type Fields, isFields } from '@ctx/core/codec';
import { blocksOf, type Native } from './blocks.js';
import type { Located, Request, Turn } from './rule.js';

export function requestOf(system: Native | undefined, messages: readonly Native[]): Request {
  const blocks = messages.map(located);
  const turns: Turn[] = [];
  messages.forEach(({ role }, index) => {
    if (role !== 'assistant') return;
    const before = messages[index - 1]?.role === 'assistant' ? turns.pop() : undefined;
    turns.push({ blocks: [...(before?.blocks ?? []), ...(blocks[index] ?? [])], next: index + 1 });
  });
  return { system: system === undefined ? [] : located(system, -1), messages, blocks, turns };
}

function located(native: Native, index: number): Located[] {
  if (native.content === '' || native.content === undefined) return [];
  return blocksOf(native, 'messages').map((block) => ({ index, block: block as Fields }));
}

export function ofType(blocks: readonly Located[] | undefined, type: string): readonly Located[] {
  return (blocks ?? []).filter(({ block }) => block.type === type);
}

/** Blocks, including those inside tool results. */
export function withNested(blocks: readonly Located[]): Located[] {
  return blocks.flatMap((one) => {
    const inside: unknown[] =
      one.block.type === 'tool_result' && Array.isArray(one.block.content) ? one.block.content : [];
    return [one, ...inside.filter(isFields).map((block) => ({ index: one.index, block }))];
  });
}
