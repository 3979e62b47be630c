// Says which constants of a strategy matter: each is taken away, halved and doubled, and every variant is measured in static cuts.
// Start: npx tsx examples/benchmarks/ablation.ts [path ...] [--strategy relevance] [--files weights,pieces/weights] [--only name,name]
//   [--changes off,half,double]
// Build first: the variants are made of what is built. Without a path: examples/sessions, and ../shared/data if it is there.

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import {
  type Candidate,
  loadSessions,
  markdownTable,
  runBench,
  type StaticSummary,
  sessionFiles,
  strategyCandidate,
} from '@ctx/bench';
import type { CompressionStrategy } from '@ctx/core';
import { progress, progressDone } from './progress.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** A number in a file of constants, and another that takes its place. */
interface Variant {
  readonly file: string;
  readonly constant: string;
  readonly value: number;
  readonly instead: number;
}

const unchanged = 'as it is';
/** Numbers that are limits: without them nothing would end, or all would be cut. They are only halved and doubled. */
const limit = /^(?:longest|shortest|most|fewest|deepest|usual|renderings|surroundings|tiny|short|prose)/;
/** What such a number is if it changes nothing; 0 for others. */
const neutral: readonly (readonly [RegExp, number])[] = [
  [/Weight$|^schemaWorth$|^kindWorth\./, 1],
  [/Share$/, 1],
];

/** Every number that is exported by itself, or as a field of an object. */
function constantsIn(code: string): { name: string; value: number; at: number; length: number }[] {
  const found: { name: string; value: number; at: number; length: number }[] = [];
  let object = '';
  for (const match of code.matchAll(
    /^(?:export const (\w+) = (?:(\{)|([\d._]+);)| {4}(\w+): ([\d._]+),)/gm,
  )) {
    const [whole, name = '', brace, digits, field, fieldDigits] = match;
    if (brace !== undefined) object = name;
    const figure = digits ?? fieldDigits;
    if (figure === undefined) continue;
    const at = match.index + whole.lastIndexOf(figure);
    const value = Number(figure.replaceAll('_', ''));
    found.push({ name: field === undefined ? name : `${object}.${field}`, value, at, length: figure.length });
  }
  return found;
}

function variantsOf(file: string, code: string, changes: readonly string[]): Variant[] {
  return constantsIn(code).flatMap(({ name: constant, value }) => {
    const round = (one: number) => (Number.isInteger(value) ? Math.max(1, Math.round(one)) : one);
    const off = neutral.find(([pattern]) => pattern.test(constant))?.[1] ?? 0;
    const others = [
      ...(changes.includes('off') && !limit.test(constant) ? [off] : []),
      ...(changes.includes('half') ? [round(value / 2)] : []),
      ...(changes.includes('double') ? [round(value * 2)] : []),
    ];
    return [...new Set(others)]
      .filter((instead) => instead !== value)
      .map((instead) => ({ file, constant, value, instead }));
  });
}

/** Loads the strategy from a copy of what is built, in which one number is another. */
async function strategyWith(
  built: string,
  target: string,
  name: string,
  variant?: Variant,
): Promise<CompressionStrategy> {
  cpSync(built, target, { recursive: true, filter: (path) => !/\.(?:map|d\.ts)$/.test(path) });
  if (variant !== undefined) {
    const file = join(target, `${variant.file}.js`);
    const code = readFileSync(file, 'utf8');
    const found = constantsIn(code).find((one) => one.name === variant.constant);
    if (found === undefined) throw new Error(`${variant.constant} is not in ${file}`);
    writeFileSync(file, code.slice(0, found.at) + variant.instead + code.slice(found.at + found.length));
  }
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
      files: { type: 'string', default: 'weights,pieces/weights,terms/limits' },
      only: { type: 'string' },
      changes: { type: 'string', default: 'off,half,double' },
    },
  });
  const folder = here(`../../packages/strategy-${values.strategy}`);
  const built = join(folder, 'dist');
  const wanted = values.only?.split(',');
  const variants = values.files
    .split(',')
    .flatMap((file) =>
      variantsOf(file, readFileSync(join(built, `${file}.js`), 'utf8'), values.changes.split(',')),
    )
    .filter(({ constant }) => wanted === undefined || wanted.some((one) => constant.startsWith(one)));
  // Within the package, so that the copies find what they import.
  mkdirSync(join(folder, 'node_modules/.cache'), { recursive: true });
  const copies = mkdtempSync(join(folder, 'node_modules/.cache/ablation-'));
  const load = (copy: string, variant?: Variant) =>
    strategyWith(built, join(copies, copy), values.strategy, variant);
  const candidates: Candidate[] = [strategyCandidate(unchanged, await load('base'))];
  for (const [index, variant] of variants.entries())
    candidates.push(strategyCandidate(nameOf(variant), await load(`${index}`, variant)));
  rmSync(copies, { recursive: true });
  const paths = positionals.length > 0 ? positionals : [here('../sessions'), here('../../../shared/data')];
  const { sessions } = await loadSessions(paths.flatMap(sessionFiles));
  const { summary } = await runBench(sessions, { candidates, limits: [], onProgress: progress });
  progressDone();
  console.log(table(summary.overall, variants));
}

function nameOf({ file, constant, instead }: Variant): string {
  return `${file} ${constant} ${instead}`;
}

/** A row for each variant: how much it changes, in points of 100. */
function table(rows: readonly StaticSummary[], variants: readonly Variant[]): string {
  const base = rows.filter(({ candidate }) => candidate === unchanged);
  const figures = ['usableCtx', 'usableGrounded', 'far', 'instructions'] as const;
  const columns = base.flatMap(({ share }) => figures.map((figure) => ({ share, figure })));
  const meanOf = (candidate: string, { share, figure }: (typeof columns)[number]) =>
    rows.find((row) => row.candidate === candidate && row.share === share)?.[figure]?.mean ?? Number.NaN;
  const changes = (variant: Variant) =>
    columns.map((column) => meanOf(nameOf(variant), column) - meanOf(unchanged, column));
  const signed = (value: number) => (Math.abs(value) < 0.005 ? '·' : value.toFixed(2));
  return markdownTable(
    [
      'constant',
      'value',
      'instead',
      'largest',
      ...columns.map(({ share, figure }) => `${figure} ${share * 100} %`),
    ],
    [
      ['', '', '', '', ...columns.map((column) => meanOf(unchanged, column).toFixed(2))],
      ...variants.map((variant) => {
        const all = changes(variant);
        const largest = Math.max(...all.map(Math.abs)).toFixed(2);
        return [variant.constant, variant.value, variant.instead, largest, ...all.map(signed)];
      }),
    ],
  );
}

await main();
