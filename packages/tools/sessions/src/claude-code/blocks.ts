import { type Fields, isFields, nameIn } from '../fields.js';

export function blocksOf(content: string | readonly unknown[]): readonly unknown[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** The ids of the calls among the blocks. */
export function callIdsOf(blocks: readonly unknown[]): string[] {
  return blocks.flatMap((block) =>
    isFields(block) && block.type === 'tool_use' ? (nameIn(block, 'id') ?? []) : [],
  );
}

export function isResult(block: unknown): block is Fields {
  return isFields(block) && block.type === 'tool_result';
}

/** True for white space that a model writes before it calls a tool; the API refuses such a block. */
export function isBlank(block: unknown): boolean {
  if (!isFields(block) || block.type !== 'text') return false;
  return typeof block.text === 'string' && block.text.trim() === '';
}
