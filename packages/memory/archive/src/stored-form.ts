import { corrupt } from './archive-errors.js';
import { plain } from './search/filter.js';
import type { Passage } from './search/passage.js';

/** A text as databases keep it: one without the characters that some of them refuse or change, such as NUL and half a surrogate pair. */
export function storedText(text: string): string {
  return JSON.stringify(text);
}

/** A path as databases compare it: one asked for is found in it. */
export function storedPath(path: string): string {
  return JSON.stringify(`/${plain(path)}/`).slice(1, -1);
}

export function storedPassage(passage: Passage): string {
  return JSON.stringify(passage);
}

/** @throws CtxError `archive-corrupt` */
export function passageOf(data: unknown): Passage {
  try {
    const { path, ...passage } = JSON.parse(String(data)) as Passage;
    return { ...passage, path };
  } catch (error) {
    throw corrupt('A passage in the archive cannot be read', error);
  }
}
