import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Files, inTree, write } from './checked-tree.js';

const repository = join(__dirname, '../..');
const biome = join(repository, 'node_modules/@biomejs/biome/bin/biome');

/** The lines at which Biome finds an error, by file, with this repository's rules. */
function errorsIn(files: Files): Record<string, number[]> {
  const { vcs: _, $schema: __, ...rules } = JSON.parse(readFileSync(join(repository, 'biome.json'), 'utf8'));
  write({ ...files, 'biome.json': JSON.stringify(rules) });
  cpSync(join(repository, 'scripts/lint'), inTree('scripts/lint'), { recursive: true });
  const args = [biome, 'lint', '--reporter=json', '--max-diagnostics=none', 'packages'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: inTree('.'), encoding: 'utf8' });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] };
  const errors: Record<string, number[]> = {};
  for (const { severity, location } of diagnostics) {
    const path = location.path.replaceAll('\\', '/');
    if (severity === 'error') errors[path] = [...(errors[path] ?? []), location.start.line];
  }
  return errors;
}

interface Diagnostic {
  readonly severity: string;
  readonly location: { readonly path: string; readonly start: { readonly line: number } };
}

const offenders = [
  'export const time = Date.now();',
  'export const time = new Date();',
  'export const time = Date();',
  'export const time = performance.now();',
  'export const dice = Math.random();',
  `export const dice = Math['random']();`,
  'export const { random } = Math;',
  'export const dice = crypto.randomUUID();',
  `export const page = fetch('http://localhost');`,
  `console.log('planned');`,
  'setTimeout(() => {}, 1);',
  'export const signal = AbortSignal.timeout(1);',
  'export const home = process.env.HOME;',
  'export const shared = globalThis;',
];
const innocent = [
  'export const least = Math.floor(Math.min(1.5, 2));',
  `export const time = Date.parse('2026-01-01');`,
  'export type Stop = (signal: AbortSignal, at?: Date) => Math;',
  'export const stopped = (signal: AbortSignal) => signal.aborted;',
  'export const called = (fetch: (url: string) => string) => fetch("a");',
  'export const plan = (context: { now: number; random: () => number }) => context.now + context.random();',
];
const folders = ['packages/core/src/view', 'packages/strategies/hybrid/src'];

test('neither core nor a strategy has a clock, a dice, a network, a console or shared state', () => {
  const files = Object.fromEntries(
    folders.flatMap((folder) => offenders.map((text, at) => [`${folder}/offender-${at}.ts`, text])),
  );
  const errors = errorsIn(files);
  expect(Object.keys(files).filter((path) => errors[path]?.[0] !== 1)).toEqual([]);
});

test('what only looks like it is allowed, and so are files behind a port', () => {
  const errors = errorsIn({
    ...Object.fromEntries(
      folders.flatMap((folder) => innocent.map((text, at) => [`${folder}/innocent-${at}.ts`, text])),
    ),
    'packages/strategies/file-folding/src/folder/read.ts': 'export const time = Date.now();',
    'packages/strategies/file-folding/src/definitions/slices.ts': 'export const time = performance.now();',
    'packages/tools/bench/src/a.ts': 'export const dice = Math.random();',
  });
  expect(errors).toEqual({});
});

test('a random text does not use the unit that takes half a second to be made', () => {
  const errors = errorsIn({
    'packages/core/test/slow.test.ts': `export const text = fc.string({ unit: 'binary', maxLength: 3 });`,
    'packages/core/test/quick.test.ts': 'export const text = fc.string({ unit: codePoint, maxLength: 3 });',
  });
  expect(errors).toEqual({ 'packages/core/test/slow.test.ts': [1] });
});
