import { join, sep } from 'node:path';
import { apiOf } from './api-of.mjs';
import { packages, root } from './sources.mjs';
import { functionsIn } from './throwers.mjs';

/** The docstring that stands above a line, over decorators; empty where there is none. */
function docAbove(lines, line) {
  let last = line - 2;
  while (/^\s*(@|\/\/)/.test(lines[last] ?? '')) last -= 1;
  if (!/\*\/\s*$/.test(lines[last] ?? '')) return '';
  let first = last;
  while (first > 0 && !/^\s*\/\*\*/.test(lines[first])) first -= 1;
  return lines.slice(first, last + 1).join('\n');
}

/** The functions and methods that packages export by name, with their docstrings. */
export function publicFunctions(files) {
  const exported = new Map(
    packages.map((one) => {
      const folder = join(root, one.folder);
      return [`${join(folder, 'src')}${sep}`, new Set(apiOf(join(folder, 'dist/index.d.ts')).keys())];
    }),
  );
  return [...files].flatMap(([file, { body, lines, lineAt }]) => {
    const names = [...exported].find(([folder]) => file.startsWith(folder))?.[1];
    return [...functionsIn(body)]
      .filter(([name, one]) => one.exported && names?.has(name.split('.')[0]))
      .map(([name, { span }]) => {
        const line = lineAt(span.start);
        return { file, name, line, doc: docAbove(lines, line) };
      });
  });
}
