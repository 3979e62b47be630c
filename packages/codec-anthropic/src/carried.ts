import { isFields, otherFields } from '@ctx/core';
import type { Native } from './decode.js';

/** The fields of a block that its part holds too. Blocks of other types are opaque parts, which hold all their fields. */
const said: Readonly<Record<string, readonly string[]>> = {
  text: ['type', 'text'],
  image: ['type', 'source'],
  document: ['type', 'source', 'title'],
  tool_use: ['type', 'id', 'name', 'input'],
  tool_result: ['type', 'tool_use_id', 'content', 'is_error'],
  thinking: ['type', 'thinking', 'signature'],
  redacted_thinking: ['type', 'data'],
};

/** The places of fields that no part holds, such as `content[0].cache_control`. Another provider's form loses them. */
export function carriedBy(native: Native, blocks: readonly unknown[], indices: readonly number[]): string[] {
  const message = otherFields(native as never, ['role', 'content'], '');
  if (typeof native.content === 'string') return message;
  return [...message, ...indices.flatMap((index) => carriedIn(blocks[index], `content[${index}]`))];
}

function carriedIn(block: unknown, place: string): string[] {
  const known = isFields(block) ? said[String(block.type)] : undefined;
  if (!isFields(block) || known === undefined) return [];
  const isText = block.type === 'document' && isFields(block.source) && block.source.type === 'text';
  const own = otherFields(block, isText ? ['type', 'source'] : known, place);
  const inner = block.type === 'tool_result' && Array.isArray(block.content) ? block.content : [];
  return [...own, ...inner.flatMap((item, index) => carriedIn(item, `${place}.content[${index}]`))];
}
