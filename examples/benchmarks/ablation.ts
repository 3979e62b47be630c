// Says which constants of a strategy matter: each is taken away, halved and doubled, and every variant is measured in static cuts.
// Start: npx tsx examples/benchmarks/ablation.ts [path ...] [--strategy relevance] [--files excerpt/weights] [--only name,name]
//   [--changes off,half,double]
// A file is named by its package, as excerpt/weights. Build first: the variants are made of what is built. Without a path:
// examples/sessions, and ../shared/data if it is there.

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import {
  type Average,
  type BenchSummary,
  type Candidate,
  loadSessions,
  markdownTable,
  runBench,
  sessionFiles,
  strategyCandidate,
} from '@ctx/bench';
import type { CompressionStrategy } from '@ctx/core';
import { type Variant, variantsOf, withVariant } from './constants.js';
import { progress, progressDone } from './progress.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const unchanged = 'as it is';
/** Where the numbers are: of the strategy itself, and of the package that chooses what its excerpts hold. */
const usualFiles = ['excerpt/weights', 'strategy-relevance/weights'];

const builtIn = (name: string) => here(`../../packages/strategies/${name.replace('strategy-', '')}/dist`);
const packageOf = (file: string) => file.replace(/\/.*/, '');

/** Makes a copy of what is built of a package, in which one number may be another. */
function copyPackage(name: string, target: string, variant: Variant | undefined): void {
  cpSync(builtIn(name), target, { recursive: true, filter: (path) => !/\.(?:map|d\.ts)$|node$/.test(path) });
  writeFileSync(join(target, 'package.json'), JSON.stringify({ type: 'module', exports: './index.js' }));
  if (variant === undefined || packageOf(variant.file) !== name) return;
  const file = join(target, `${variant.file.slice(name.length + 1)}.js`);
  writeFileSync(file, withVariant(readFileSync(file, 'utf8'), variant));
}

/** Loads the strategy from a copy that finds copies of the other packages, too. */
async function strategyWith(
  target: string,
  name: string,
  packages: readonly string[],
  variant?: Variant,
): Promise<CompressionStrategy> {
  const own = `strategy-${name}`;
  copyPackage(own, target, variant);
  for (const other of packages)
    if (other !== own) copyPackage(other, join(target, 'node_modules/@ctx', other), variant);
  const loaded = (await import(pathToFileURL(join(target, 'index.js')).href)) as Record<
    string,
    () => CompressionStrategy
  >;
  return (loaded[name] as () => CompressionStrategy)();
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      strategy: { type: 'string', default: 'relevance' },
      files: { type: 'string', default: usualFiles.join(',') },
      only: { type: 'string' },
      changes: { type: 'string', default: 'off,half,double' },
    },
  });
  const files = values.files.split(',');
  const wanted = values.only?.split(',');
  const variants = files
    .flatMap((file) => variantsOf(file, codeOf(file), values.changes.split(',')))
    .filter(({ constant }) => wanted === undefined || wanted.some((one) => constant.startsWith(one)));
  // Within the package, so that the copies find what they import.
  const cache = here(`../../packages/strategies/${values.strategy}/node_modules/.cache`);
  mkdirSync(cache, { recursive: true });
  const copies = mkdtempSync(join(cache, 'ablation-'));
  const packages = [...new Set(files.map(packageOf))];
  const load = (copy: string, variant?: Variant) =>
    strategyWith(join(copies, copy), values.strategy, packages, variant);
  const candidates: Candidate[] = [strategyCandidate(unchanged, await load('base'))];
  for (const [index, variant] of variants.entries())
    candidates.push(strategyCandidate(nameOf(variant), await load(`${index}`, variant)));
  rmSync(copies, { recursive: true });
  const paths = positionals.length > 0 ? positionals : [here('../sessions'), here('../../../shared/data')];
  const { sessions } = await loadSessions(paths.flatMap(sessionFiles));
  const { summary } = await runBench(sessions, { candidates, limits: [], onProgress: progress });
  progressDone();
  console.log(table(summary, variants));
}

/** What is built of `package/file`. */
function codeOf(file: string): string {
  const name = packageOf(file);
  return readFileSync(join(builtIn(name), `${file.slice(name.length + 1)}.js`), 'utf8');
}

function nameOf({ file, constant, instead }: Variant): string {
  return `${file} ${constant} ${instead}`;
}

/** A row for each variant: how much it changes, in points of 100, paired by session, with the error. */
function table({ overall, differences }: BenchSummary, variants: readonly Variant[]): string {
  const figures = ['usableCtx', 'usablePassage', 'far', 'instructions'] as const;
  const columns = overall
    .filter(({ candidate }) => candidate === unchanged)
    .flatMap((row) => figures.map((figure) => ({ figure, share: row.share, mean: row[figure]?.mean })));
  const change = (name: string, { share, figure }: (typeof columns)[number]) =>
    differences.find((one) => one.candidate === name && one.share === share && one.figure === figure)?.value;
  return markdownTable(
    [
      'constant',
      'value',
      'instead',
      'largest',
      ...columns.map(({ share, figure }) => `${figure} ${share * 100} %`),
    ],
    [
      ['', '', '', '', ...columns.map(({ mean }) => mean?.toFixed(2) ?? '–')],
      ...variants.map((variant) => {
        const all = columns.map((column) => change(nameOf(variant), column));
        const largest = Math.max(...all.map((value) => Math.abs(value?.mean ?? 0))).toFixed(2);
        return [variant.constant, variant.value, variant.instead, largest, ...all.map(shown)];
      }),
    ],
  );
}

/** `·` where nothing changes. */
function shown(value: Average | undefined): string {
  if (value === undefined) return '–';
  const { mean, error } = value;
  if (Math.abs(mean) < 0.005 && (error ?? 0) < 0.005) return '·';
  return `${mean.toFixed(2)}${error === undefined ? '' : ` ± ${error.toFixed(2)}`}`;
}

await main();
