import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The session files at a path: the file itself, or all files below a folder, in order of their names. Empty if the path does not exist.
 */
export function sessionFiles(path: string): string[] {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => sessionFiles(join(path, name)))
    .filter((file) => /\.jsonl?$/.test(file));
}
