import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import type { IgnoreRules } from '../fold-options.js';
import { readInside } from './read-inside.js';

/** The names of the files with rules, in the project's folder. */
const names = ['.gitignore', '.rooignore'];
/** In bytes. The rules of a larger file are not read. */
const longestRules = 1_000_000;

/**
 * Reads the ignore files of a project and applies their rules as git does. `.git` is always ignored.
 * @param cwd the project's folder
 */
export function ignoreFiles(cwd: string): IgnoreRules {
  let rules: Promise<Ignore> | undefined;
  return {
    async isIgnored(path) {
      rules ??= load(cwd);
      return path.split('/').includes('.git') || (await rules).ignores(path);
    },
  };
}

async function load(cwd: string): Promise<Ignore> {
  const folder = await realpath(cwd).catch(() => cwd);
  const rules = ignore();
  for (const name of names) {
    // Most folders have no such file, and a file that can't be read has no rules. Git does not read rules through a link either.
    const reading = await readInside({ realPath: join(folder, name) }, longestRules);
    if ('text' in reading) rules.add(reading.text);
  }
  return rules;
}
