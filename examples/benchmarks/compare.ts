// Measures whether a compressed conversation still holds what the agent needs next: every strategy, every pipeline and the peers, over
// every session found.
// Start: npm run bench [-- path ...] [--only name,name] [--static] [--half tune|report] [--html report.html] [--json cuts.json] [--record]
// A path leads to sessions of agents, or to chats with questions in the form of LoCoMo or QMSum. Without one: examples/sessions,
// ../shared/data if it exists, and made chats.
// --static leaves out what takes long and prints every figure by source, to try things; --half keeps every other session:
// npm run bench -- --static --half tune --only 'default pipeline'
// --record keeps the tables in results/, from which the README and docs/results.md are made; it wants every candidate on these sessions.

import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  type BenchRun,
  candidates,
  type Half,
  madeChats,
  markdownTable,
  renderReport,
  reportOf,
  runBench,
  sessionFiles,
  type Table,
  tablesBySource,
  tablesOf,
} from '@ctx/bench';
import { loadInputs } from './inputs.js';
import { moreTables } from './more-tables.js';
import { progress, progressDone } from './progress.js';
import { shownExcerpt } from './shown-excerpt.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const halves: readonly Half[] = ['tune', 'report'];
const defaults = [here('../sessions'), here('../../../shared/data')];

export async function main(args: readonly string[]): Promise<void> {
  const asked = askedBy(args);
  if (asked === undefined) return;
  const { values, paths, half, chosen } = asked;
  for (const path of paths.filter((one) => !existsSync(one))) complain(`${path} does not exist`);
  const inputs = await loadInputs((paths.length > 0 ? paths : defaults).flatMap(sessionFiles));
  const { sessions, chats, errors } = inputs;
  if (paths.length === 0) chats.push(...madeChats());
  for (const error of errors) {
    if (paths.some((path) => error.place?.startsWith(path) && !isFolder(path))) complain(error.message);
    else console.error(`Skipped: ${error.message}`);
  }
  if (sessions.length === 0 && chats.length === 0) {
    complain('No session was found. Give the path of a session file, of a chat, or of a folder with some.');
    return;
  }

  const run = await runBench(sessions, {
    candidates: chosen,
    timelines: values.html !== undefined,
    ...(values.static && { limits: [] }),
    ...(half !== undefined && { half }),
    onProgress: progress,
  });
  const more = values.static || half !== undefined ? [] : await moreTables(inputs, chosen);
  progressDone();
  if (run.cuts.length === 0 && more.length === 0) {
    complain(
      'No session is long enough: a cut needs 3,000 tokens before it, and something of them used again.',
    );
    return;
  }
  await publish(run, more, values);
}

/** What the arguments ask for. Undefined if it can't be done; then it has said why. */
function askedBy(args: readonly string[]) {
  const { values, positionals: paths } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      html: { type: 'string' },
      json: { type: 'string' },
      only: { type: 'string' },
      static: { type: 'boolean', default: false },
      half: { type: 'string' },
      record: { type: 'boolean', default: false },
    },
  });
  const half = halves.find((one) => one === values.half);
  if (values.half !== half)
    return complain(`There is no half "${values.half}". There are: ${halves.join(', ')}`);
  const isPartial = paths.length > 0 || values.static || (half ?? values.only) !== undefined;
  if (values.record && isPartial)
    return complain(
      'What is recorded is of every candidate on the default sessions: leave --record, or the paths, --only, --static and --half.',
    );
  const names = values.only?.split(',');
  const unknown = names?.find((name) => candidates.every((one) => one.name !== name));
  if (unknown !== undefined)
    return complain(
      `There is no candidate "${unknown}". There are: ${candidates.map(({ name }) => name).join(', ')}`,
    );
  const chosen = candidates.filter(({ name }) => names === undefined || names.includes(name));
  return { values, paths, half, chosen };
}

interface Outlets {
  readonly html?: string | undefined;
  readonly json?: string | undefined;
  readonly record: boolean;
  readonly static: boolean;
}

/** Prints the tables, and writes what was asked for. */
async function publish(run: BenchRun, more: readonly Table[], values: Outlets): Promise<void> {
  const { summary } = run;
  const measuredTables = (values.static ? tablesBySource : tablesOf)(summary);
  const tables = [...(run.cuts.length === 0 ? [] : measuredTables), ...more].map(
    ({ title, columns, rows }) => `### ${title}\n\n${markdownTable(columns, rows)}`,
  );
  const counted = `${summary.sessions} conversations of ${summary.sources.length} sources, cut in ${summary.cuts} places; ${summary.needed.toLocaleString('en-US')} atoms are needed after the cuts.`;
  const measured = run.cuts.length === 0 ? [] : [counted];
  const report = `${[...measured, ...tables].join('\n\n')}\n`;
  console.log(report);
  if (values.record) {
    mkdirSync(here('results/'), { recursive: true });
    writeFileSync(here('results/compare.md'), report);
    writeFileSync(here('results/compare.json'), `${JSON.stringify(summary)}\n`);
    writeFileSync(here('results/excerpt.md'), `${await shownExcerpt()}\n`);
  }
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(run.cuts, undefined, 2)}\n`);
  if (values.html !== undefined) {
    const html = await renderReport(reportOf(run, new Date().toISOString()));
    writeFileSync(values.html, html);
    console.log(`The report is in ${values.html}.`);
  }
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

function complain(problem: string): undefined {
  console.error(problem);
  process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
