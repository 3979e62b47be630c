import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Holds sessions of scripted models. They show a format, not what an agent needs. */
const made = 'made';

/**
 * The session files at a path: the file itself, or all files below a folder, in order of their names. Those in a folder `made` are left
 * out, unless it is the path. Empty if the path does not exist.
 */
export function sessionFiles(path: string): string[] {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => name !== made)
    .sort()
    .flatMap((name) => sessionFiles(join(path, name)))
    .filter((file) => /\.jsonl?$/.test(file));
}
