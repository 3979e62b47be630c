import type { Passage, PassageFilter } from '../store.js';

/** Whether a passage is one that was asked for. */
export function matches(passage: Passage, { kinds, path, since }: PassageFilter): boolean {
  return (
    (kinds === undefined || kinds.includes(passage.kind)) &&
    (since === undefined || passage.time >= since) &&
    (path === undefined || isAbout(passage.path, path))
  );
}

/** Whether a file is the one that is asked for, is named by the end of its path, or lies in a folder of that name. */
function isAbout(path: string | undefined, asked: string): boolean {
  return path !== undefined && `/${plain(path)}/`.includes(`/${asked}/`);
}

/** Characters: what systems allow, nearly. A longer text is no path. */
export const longestPath = 4_000;

/** A path with slashes and without the dots and slashes at its ends. */
export function plain(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '')
    .replace(/(?<!\/)\/+$/, '');
}

/** A path as databases compare it: one asked for is found in it. */
export function storedPath(path: string): string {
  return JSON.stringify(`/${plain(path)}/`).slice(1, -1);
}
