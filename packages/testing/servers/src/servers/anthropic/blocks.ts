import type { Fields } from '@ctx/core/codec';

/** The blocks of a message, also of one that is a string. */
export function blocksOf({ content }: Fields): Fields[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return Array.isArray(content) ? content : [];
}

export const isThinking = ({ type }: Fields): boolean => type === 'thinking' || type === 'redacted_thinking';
