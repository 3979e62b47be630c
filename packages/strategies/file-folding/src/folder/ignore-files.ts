import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import type { IgnoreRules } from '../fold-options.js';
import { readInside } from './read-inside.js';

/** The names of the files with rules. */
const names = ['.gitignore', '.rooignore'];
/** In bytes. The rules of a larger file are not read. */
const longestRules = 1_000_000;

/**
 * Reads the ignore files of a project and its inner folders, and applies their rules as git does. The innermost file that mentions a
 * path decides, but nothing in an ignored folder can be included again. `.git` is always ignored.
 * @param cwd the project's folder
 */
export function ignoreFiles(cwd: string): IgnoreRules {
  const known = new Map<string, Promise<Ignore>>();
  const root = realpath(cwd).catch(() => cwd);
  const rulesIn = (folder: string) => {
    const rules = known.get(folder) ?? root.then((real) => load(join(real, folder)));
    known.set(folder, rules);
    return rules;
  };

  /** Whether the rules in the folders from the root to the path's own folder ignore the path itself. */
  async function isIgnoredItself(segments: readonly string[], suffix: string): Promise<boolean> {
    for (let depth = segments.length - 1; depth >= 0; depth -= 1) {
      const rules = await rulesIn(segments.slice(0, depth).join('/'));
      const { ignored, unignored } = rules.test(segments.slice(depth).join('/') + suffix);
      if (ignored || unignored) return ignored;
    }
    return false;
  }

  return {
    async isIgnored(path) {
      const segments = path.split('/');
      if (segments.includes('.git')) return true;
      for (let length = 1; length < segments.length; length += 1) {
        if (await isIgnoredItself(segments.slice(0, length), '/')) return true;
      }
      return isIgnoredItself(segments, '');
    },
  };
}

async function load(folder: string): Promise<Ignore> {
  const rules = ignore();
  for (const name of names) {
    // Most folders have no such file, and a file that can't be read has no rules. Git does not read rules through a link either.
    const reading = await readInside({ realPath: join(folder, name) }, longestRules);
    if ('text' in reading) rules.add(reading.text);
  }
  return rules;
}
