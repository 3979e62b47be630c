import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './tools.mjs';

const block =
  /(?:<!-- snippet: ([^\n]*?) -->\n)?^```(?:ts|typescript)\n([\s\S]*?)^```$(\n\nprints\n\n```\n([\s\S]*?)^```$)?/gm;
const importing = /^import [\s\S]*?;\n/gm;

/**
 * The programs of README.md, as a user would copy them: their imports, the rest, what they print if it says so, and the line they begin at. The
 * comment above a block is that of `examples/snippets`; the tests of a strategy, which need Jest, are left out.
 */
export function readmePrograms() {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  let before = '';
  return [...text.matchAll(block)].flatMap(({ 0: whole, 1: said = '', 2: code, 4: printed, index }) => {
    const given = /(?:^|; )given ([^;]+)/.exec(said)?.[1];
    const opening = given === undefined ? '' : `import { ${given} } from './given.js';\n`;
    const all = `${/(?:^|; )continues/.test(said) ? before : ''}${opening}${code}`;
    before = all;
    if (said.includes('not run:')) return [];
    const line = text.slice(0, index + whole.indexOf('```')).split('\n').length;
    const imports = all.match(importing) ?? [];
    return [{ line, imports: imports.join(''), rest: all.replace(importing, '').trim(), printed }];
  });
}

/** The packages that programs import, without files of their own. */
export function packagesOf(programs) {
  const names = programs.flatMap(({ imports }) =>
    [...imports.matchAll(/from '((?:@[^/']+\/)?[^./'][^/']*)/g)].map(([, name]) => name),
  );
  return [...new Set(names)].sort();
}
