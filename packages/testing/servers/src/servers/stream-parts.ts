import { type Fields, isFields } from '@ctx/core/codec';

/** An event without a name. */
export const dataEvent = (data: Fields): string => `data: ${JSON.stringify(data)}\n\n`;

/** An event named after the `type` in its data. */
export const namedEvent = (data: Fields): string => `event: ${String(data.type)}\n${dataEvent(data)}`;

/** UTF-16 units of each piece of a streamed text; short, so that most texts come in several. */
const pieceLength = 12;

/** A text in the pieces in which it is streamed; none for an empty one. */
export function piecesOf(text: string): string[] {
  return Array.from({ length: Math.ceil(text.length / pieceLength) }, (_, at) =>
    text.slice(at * pieceLength, (at + 1) * pieceLength),
  );
}

/** The texts of a content that is a string or a list of parts; an empty one for a part without. */
export function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.map((part) => (isFields(part) && typeof part.text === 'string' ? part.text : ''));
}
