import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shortened } from '../plugin/hooks/ctx.js';

let folder: string | undefined;

/** A large result, shortened, with the name of a file that has all of it; undefined if it is short enough. */
export function shortenedToFile(callId: string, whole: string): string | undefined {
  folder ??= mkdtempSync(join(tmpdir(), 'ctx-'));
  const path = join(folder, `${callId.replace(/[^\w-]/g, '_')}.txt`);
  const text = shortened(whole, path);
  if (text !== undefined) writeFileSync(path, whole);
  return text;
}
