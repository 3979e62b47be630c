import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const left: ReadonlySet<string> = new Set(['.git', 'dist', '.cache']);

/** A temporary copy of a repository's own files, with its installed dependencies linked in. Examples stay out. */
export function copyRepository(repository: string): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'ctx-record-')));
  const dependencies = join(repository, 'node_modules');
  const examples = join(repository, 'examples');
  cpSync(repository, root, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !left.has(basename(path)) && path !== dependencies && path !== examples,
  });
  for (const folder of ['node_modules', 'examples']) mkdirSync(join(root, folder));
  for (const name of readdirSync(dependencies)) {
    if (!left.has(name)) symlinkSync(join(dependencies, name), join(root, 'node_modules', name));
  }
  return root;
}
