import { partsOf } from '../transcript/message.js';
import type { ResolvedEdit } from './edit.js';
import { jsonObject } from './edited-message.js';
import type { ViewEntry } from './view-entry.js';

/** The handle of the message at a position of the transcript: `#m41` for the 41st. It never changes. */
export function handleOf(index: number): string {
  return `#m${index + 1}`;
}

/** The handle of all messages between two positions: `#m5-#m40`. */
export function handleOfRange(first: number, last: number): string {
  return first === last ? handleOf(first) : `${handleOf(first)}-${handleOf(last)}`;
}

/** A summary with the handle of what it stands for, unless it names handles of its own. */
export function withHandles(text: string, messages: readonly { readonly number: number }[]): string {
  const numbers = messages.map(({ number }) => number - 1).sort((a, b) => a - b);
  const [first, last] = [numbers[0], numbers.at(-1)];
  if (first === undefined || last === undefined || /#m\d/.test(text)) return text;
  return `${text}\n[${handleOfRange(first, last)}]`;
}

const atEnd = / #m\d+$|\n\[#m\d+\]$/;

/** A text in the place of another, without the handle that core has added to it. */
export function withoutHandle(text: string): string {
  return text.replace(atEnd, '');
}

/**
 * An edit that shortens a part, with the handle under which all of the message can be read. JSON stays JSON, and a text that names the
 * handle stays as it is.
 */
export function withHandle(edit: ResolvedEdit, target: ViewEntry | undefined): ResolvedEdit {
  if (edit.type !== 'replace' || target === undefined || !target.origins.isOnly(target.id)) return edit;
  const part = partsOf(target.message)[edit.part];
  const handle = handleOf(target.origins.lowest);
  if (part === undefined || part.type === 'tool-call' || jsonObject(edit.text) !== undefined) return edit;
  if (names(edit.text, handle) || edit.text.trim() === '') return edit;
  const text = withoutHandle(edit.text);
  // Behind a placeholder in brackets, or on a line of its own, so that no line of the text changes.
  const isNote = text.endsWith(']') && !text.includes('\n');
  return { ...edit, text: isNote ? `${text} ${handle}` : `${text}\n[${handle}]` };
}

/** Whether a text names a handle, and not only a longer one that begins like it. */
function names(text: string, handle: string): boolean {
  return text
    .split(handle)
    .slice(1)
    .some((rest) => !/^\d/.test(rest));
}
