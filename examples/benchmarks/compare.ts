// Compares the strategies over every session found, by strategy, budget and session; writes JSON and a Markdown table.
// Start: npm run bench [-- path ...]   (default: examples/sessions, and ../shared/data where it is there)

import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CtxError } from '@ctx/core';
import { readSessions } from '@ctx/sessions';
import {
  shares as demoShares,
  type Measurement,
  measure,
  measurementHead,
  measurementRow,
  strategyNames,
  total,
} from './measure.js';
import { progress, progressDone } from './progress.js';
import { markdownTable } from './table.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const defaults = [here('../sessions'), here('../../../shared/data')];

const shares = [...demoShares, 0.125];

interface Compared extends Measurement {
  readonly file: string;
  readonly session: string;
}

function sessionFiles(path: string): string[] {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => sessionFiles(join(path, name)))
    .filter((file) => /\.jsonl?$/.test(file));
}

async function compareFile(file: string): Promise<Compared[]> {
  const rows: Compared[] = [];
  for await (const { id, messages, provider, model } of readSessions(file, { lenient: true })) {
    for (const share of shares) {
      for (const strategy of strategyNames) {
        progress(`${basename(file)} ${id}: ${strategy} to ${share * 100} %`);
        const measured = await measure(messages, { strategy, share, model: { provider, model } });
        rows.push({ file: basename(file), session: id, ...measured });
      }
    }
  }
  return rows;
}

function table(rows: readonly Compared[], groupOf: (row: Compared) => string, title: string): string {
  const groups = new Map<string, [Compared, ...Compared[]]>();
  for (const row of rows) {
    const key = JSON.stringify([groupOf(row), row.share, row.strategy]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  const lines = [...groups.values()].map((group) => [
    groupOf(group[0]),
    ...measurementRow(total(group)),
    `${group.filter((row) => row.tokensAfter <= row.targetTokens).length} of ${group.length}`,
  ]);
  return markdownTable([title, ...measurementHead, 'in budget'], lines);
}

const given = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
const missing = given.filter((path) => !existsSync(path));
for (const path of missing) console.error(`${path} is not there`);
const files = (given.length > 0 ? given : defaults).flatMap(sessionFiles);
const rows: Compared[] = [];
for (const file of files) {
  try {
    rows.push(...(await compareFile(file)));
  } catch (error) {
    if (!CtxError.isInstance(error)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
progressDone();

if (rows.length === 0) {
  console.error('No session was found. Give the path of a session file or of a folder with some.');
  process.exitCode = 1;
} else {
  const byStrategy = table(rows, () => 'all', 'sessions');
  const byFile = table(rows, (row) => row.file, 'file');
  const report = `${rows.length / shares.length / strategyNames.length} conversations of ${files.length} files.\n\n${byStrategy}\n\n${byFile}\n`;
  const folder = here('results/');
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}compare.md`, report);
  writeFileSync(`${folder}compare.json`, `${JSON.stringify(rows, undefined, 2)}\n`);
  console.log(report);
}
if (missing.length > 0) process.exitCode = 1;
