/**
 * Checks every regular expression of the packages' sources for inputs that take more than linear time, and prints file:line
 * for each that has one and is not excused in regex-exceptions.mjs.
 * Usage: node scripts/regexes.mjs [root]
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseSync } from '@swc/core';
import { check } from 'recheck';
import { exceptions } from './regex-exceptions.mjs';

const root = resolve(process.argv[2] ?? '.');
/** The benchmark reads what its own repository holds. */
const unchecked = new Set(['bench']);

function sources() {
  const folders = readdirSync(join(root, 'packages')).filter((name) => !unchecked.has(name));
  return folders.flatMap((name) =>
    readdirSync(join(root, 'packages', name, 'src'), { recursive: true })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(root, 'packages', name, 'src', file)),
  );
}

/** The literals of a file. What `new RegExp` puts together is not seen. */
function expressionsIn(file) {
  const text = readFileSync(file, 'utf8');
  const bytes = Buffer.from(text);
  const ast = parseSync(text, { syntax: 'typescript', decorators: true });
  const lineAt = (offset) =>
    bytes
      .subarray(0, Math.max(0, offset - ast.span.start))
      .toString()
      .split('\n').length;
  const found = [];
  const visit = (node) => {
    if (typeof node !== 'object' || node === null) return;
    if (node.type === 'RegExpLiteral')
      found.push({ file, line: lineAt(node.span.start), pattern: node.pattern, flags: node.flags });
    Object.values(node).forEach(visit);
  };
  visit(ast.body);
  return found;
}

const expressions = sources().flatMap(expressionsIn);
const offences = [];

const placeOf = (file) => relative(root, file).replaceAll('\\', '/');

async function look({ file, line, pattern, flags }) {
  const place = placeOf(file);
  const { status, complexity, error } = await check(pattern, flags, {
    checker: 'automaton',
    timeout: 10_000,
  });
  if (status === 'safe') return;
  const excuse = exceptions.find((one) => one.file === place && one.pattern === pattern);
  const what =
    status === 'vulnerable' ? `takes ${complexity.summary} time` : `can't be judged (${error?.kind})`;
  if (excuse === undefined) offences.push(`${place}:${line} /${pattern}/${flags} ${what}`);
}

const waiting = [...expressions];
async function lookAtAll() {
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    await look(next);
  }
}
await Promise.all([lookAtAll(), lookAtAll()]);
for (const { file, pattern } of exceptions) {
  if (!expressions.some((one) => one.pattern === pattern && placeOf(one.file) === file))
    offences.push(`${file} /${pattern}/ is excused but not there`);
}
for (const offence of offences.sort()) console.error(offence);
console.log(`${expressions.length} regular expressions, ${exceptions.length} excused`);
process.exitCode = offences.length === 0 ? 0 : 1;
