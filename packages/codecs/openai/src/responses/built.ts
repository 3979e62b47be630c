import { type Message, type Part, partsOf } from '@ctx/core';
import type { Fields } from '@ctx/core/codec';
import { callItem } from './call-forms.js';
import { type ContentPart, contentItem, hasForm } from './content.js';

/** New items for a message of another origin: its texts, images and files in messages, each call by itself. */
export function built(message: Message): Fields[] {
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
  return items;
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
