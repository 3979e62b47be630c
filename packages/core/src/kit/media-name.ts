import type { FilePart, ImagePart } from '../transcript/message.js';

type Media = ImagePart | FilePart;

/** Characters. A longer name is cut, as nobody wrote it to be read. */
const longestName = 80;

/**
 * The name of an image or file: its own, or the last part of its URL. On one line and without brackets, so that it can neither begin a line
 * nor close a mark. Undefined if it has none.
 */
export function mediaName(part: Media): string | undefined {
  const own = part.type === 'file' ? part.filename : undefined;
  const name = plain(own ?? '') || plain(nameInUrl(part.type === 'image' ? part.image : part.data));
  return name === '' ? undefined : name;
}

/** What stands for an image or file that was removed: `[image screenshot.png]`, `[file]`. */
export function mediaMark(part: Media): string {
  const name = mediaName(part);
  return name === undefined ? `[${part.type}]` : `[${part.type} ${name}]`;
}

function plain(name: string): string {
  const line = name.slice(0, 4 * longestName).replace(/[\p{C}\p{Zl}\p{Zp}\s[\]]+/gu, ' ');
  return [...line.trim()].slice(0, longestName).join('').trim();
}

/** Neither base64 nor a data URL has a name. */
function nameInUrl(url: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return '';
  const path = url.replace(/[?#].*$/s, '').replace(/^[^:]*:\/\/[^/]*/, '');
  const last = path.slice(path.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
