import type { ReasoningPart } from '@ctx/core';
import { type Fields, isFields, stringAt } from '@ctx/core/codec';

/** True for a block in which the model reasons, readable or not. */
export function isThinking(block: unknown): block is Fields {
  return isFields(block) && (block.type === 'thinking' || block.type === 'redacted_thinking');
}

/** Most models send an empty text by default. They read the signature, or the data of redacted thinking. */
export function reasoningPart(block: Fields, place: string): ReasoningPart {
  const redacted = block.type === 'redacted_thinking';
  const remedy = 'A thinking block is { type, thinking, signature }.';
  const text = redacted ? '' : stringAt(block, 'thinking', place, remedy);
  const encrypted = redacted ? block.data : block.signature;
  return { type: 'reasoning', text, ...(text === '' && typeof encrypted === 'string' && { encrypted }) };
}

/** The block of a reasoning part; undefined if there is none, because only the provider can sign one. */
export function thinkingBlock({ text }: ReasoningPart, old: Fields | undefined): Fields | undefined {
  if (!isThinking(old)) return undefined;
  if (text === (old.type === 'thinking' ? old.thinking : '')) return old;
  return old.type === 'thinking' ? { ...old, thinking: text } : undefined;
}
