import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { parseSync } from '@swc/core';
import { packagesIn } from './packages.cjs';

/** The repository that a check looks at: its own, or the one that is given. */
export const root = resolve(process.argv.slice(2).find((arg) => !arg.startsWith('--')) ?? '.');

export const placeOf = (file) => relative(root, file).split(sep).join('/');

/** The TypeScript and JavaScript files of a folder, whatever their depth. */
export function sourcesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return ['node_modules', 'dist', 'fixtures', 'sessions', 'results'].includes(entry.name)
        ? []
        : sourcesIn(path);
    return /\.[cm]?[jt]s$/.test(entry.name) ? [path] : [];
  });
}

export const packages = packagesIn(root);

/** The sources of every package, without tests. */
export const packageSources = () => packages.flatMap(({ folder }) => sourcesIn(join(root, folder, 'src')));

/** A file's lines, its syntax tree, and what stands at an offset of the tree; offsets count bytes, the first is 1. */
export function parse(file) {
  const text = readFileSync(file, 'utf8');
  const bytes = Buffer.from(text);
  const ast = parseSync(text, { syntax: 'typescript', decorators: true });
  const at = (offset) => offset - 1;
  const starts = [0];
  for (let place = bytes.indexOf(10); place >= 0; place = bytes.indexOf(10, place + 1))
    starts.push(place + 1);
  const lineAt = (offset) => {
    const place = at(offset);
    let low = 0;
    for (let high = starts.length; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= place) low = middle;
      else high = middle;
    }
    return low + 1;
  };
  const slice = ({ start, end }) => bytes.subarray(at(start), at(end)).toString();
  return { lines: text.split('\n'), body: ast.body, lineAt, slice };
}

/** Calls a function with every node of a tree and its ancestors, outermost first. */
export function visit(node, look, ancestors = []) {
  if (typeof node !== 'object' || node === null) return;
  const isNode = typeof node.type === 'string';
  if (isNode) look(node, ancestors);
  const inner = isNode ? [...ancestors, node] : ancestors;
  for (const [key, value] of Object.entries(node)) if (key !== 'span') visit(value, look, inner);
}

/** Prints offences, sorted, or the sentence that there are none, and sets the exit code. */
export function conclude(offences, fine) {
  for (const { file, line, message } of offences.sort((a, b) => (a.file + a.line < b.file + b.line ? -1 : 1)))
    console.error(`${file}:${line}  ${message}`);
  console.log(offences.length === 0 ? fine : `${offences.length} offences`);
  process.exitCode = offences.length === 0 ? 0 : 1;
}
