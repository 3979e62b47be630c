import { type Fields, isFields } from '@ctx/core/codec';
import type { GoogleContent, GooglePart } from './content.js';

/** A content, and whether it was merged. */
export interface Piece {
  readonly content: GoogleContent;
  /** True if the history had it right after another content of the model. */
  readonly continues: boolean;
  /** True for a content that nobody edited. */
  readonly isOwn: boolean;
  /** The parts that its history has for it; none if another provider wrote it. */
  readonly before?: readonly unknown[];
}

/**
 * The API refuses calls right after another content of the model. If everything between them was dropped, they become one content.
 * Contents that were already consecutive stay as they were.
 */
export function turnsOf(pieces: readonly Piece[]): GoogleContent[] {
  const contents: GoogleContent[] = [];
  for (const piece of pieces) {
    const content = signed(piece);
    const parts = [...(content.parts ?? [])];
    const before = contents.length;
    if (content.role === 'model' && !piece.continues && parts.some(isCall))
      while (contents.at(-1)?.role === 'model') parts.unshift(...(contents.pop()?.parts ?? []));
    contents.push(contents.length === before ? content : { ...content, parts });
  }
  return contents;
}

/**
 * What Google documents for a call that its model did not write, or whose signature is gone.
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
const noSignature = 'skip_thought_signature_validator';

/** From Gemini 3 on, the first call of a content needs a signature. If the signed one left, or another provider wrote it, it has none. */
function signed({ content, isOwn, before = [] }: Piece): GoogleContent {
  const parts = content.parts ?? [];
  const first = parts.findIndex(isCall);
  if (isOwn || first < 0 || parts[first]?.thoughtSignature !== undefined) return content;
  if (before.length > 0 && !before.some((part) => isCall(part) && part.thoughtSignature !== undefined))
    return content;
  const call: GooglePart = { ...parts[first], thoughtSignature: noSignature };
  return { ...content, parts: parts.with(first, call) };
}

function isCall(part: unknown): part is Fields {
  return isFields(part) && part.functionCall !== undefined && part.functionCall !== null;
}
