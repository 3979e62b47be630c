import { ConfigError } from '@ctx/core';

// What bundlers for browsers put in place of the modules that read files; see `browser` in package.json. Grammars are files, too: texts in
// code are not folded there, headings in Markdown are.

export const loadGrammar: typeof import('./definitions/parse.js').loadGrammar = noFiles;

export const withTree: typeof import('./definitions/parse.js').withTree = () => noFiles('withTree');

/** @throws ConfigError `config-invalid` */
export const foldFiles: typeof import('./fold-files.js').foldFiles = (_, { cwd }) => noFiles(cwd);

async function noFiles(value: string): Promise<never> {
  throw new ConfigError({
    code: 'config-invalid',
    problem: 'This code was bundled for a browser, which has no files to read',
    place: 'cwd',
    value,
    remedy:
      'Read files in Node, Bun or Deno. In a browser, leave `cwd` out: what is Markdown is folded from its text.',
  });
}
