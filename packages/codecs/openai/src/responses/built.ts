import { type Message, type Part, partsOf } from '@ctx/core';
import type { Fields, NativeLoss } from '@ctx/core/codec';
import { lostMediaType } from '../media.js';
import { callItem } from './call-forms.js';
import { type ContentPart, contentItem, hasForm } from './content.js';

/** The items for a message, and what is not in them. */
export interface Sent {
  readonly items: readonly Fields[];
  /** Places in the message. */
  readonly lost: readonly Pick<NativeLoss, 'place' | 'what'>[];
}

/** New items for a message of another origin: its texts, images and files in messages, each call by itself. */
export function built(message: Message): Sent {
  const items: Fields[] = [];
  let said: ContentPart[] = [];
  const finish = () => {
    if (said.length > 0) items.push(messageOf(said, message.role));
    said = [];
  };
  for (const part of partsOf(message)) {
    if (isContent(part) && hasForm(part.type, message.role)) {
      if (part.type !== 'text' || part.text !== '') said.push(part);
    } else if (part.type === 'tool-call') {
      finish();
      items.push(callItem(part, undefined));
    }
  }
  finish();
  return { items, lost: lostIn(message) };
}

export function isContent(part: Part): part is ContentPart {
  return part.type === 'text' || part.type === 'image' || part.type === 'file' || part.type === 'opaque';
}

/** A message of these parts; a single text is its content. */
export function messageOf(parts: readonly ContentPart[], role: Message['role']): Fields {
  const [only] = parts;
  if (parts.length === 1 && only?.type === 'text') return { role, content: only.text };
  return { type: 'message', role, content: parts.map((part) => contentItem(part, role)) };
}

function lostIn(message: Message): Sent['lost'] {
  return partsOf(message).flatMap((part, position) => {
    const place = typeof message.content === 'string' ? 'content' : `content[${position}]`;
    return lostOf(part, message.role, place);
  });
}

/** What a part loses that is made new: all of it, or the media type of a URL. */
export function lostOf(part: Part, role: Message['role'], place: string): Sent['lost'] {
  if (part.type === 'tool-call') return [];
  if (!isContent(part) || !hasForm(part.type, role)) return [{ place, what: part.type }];
  return lostMediaType(part).map((lost) => ({ place: `${place}.${lost.place}`, what: lost.what }));
}
