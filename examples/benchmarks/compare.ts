// Measures whether a compressed conversation still holds what the agent needs next: every strategy, every pipeline and the peers, over
// every session found. This is the command `ctx bench` on the sessions of this repository.
// Start: npm run bench [-- path ...] [--only name,name] [--static | --replays | --loop | --cycles | --planted] [--half tune|report] [--json cuts.json] [--record]
// A path leads to sessions of agents. Without one: examples/sessions, and ../shared/data if it exists.
// --static leaves out what takes long, to try things; --half keeps every other session:
// npm run bench -- --static --half tune --only 'default pipeline'
// --replays, --loop, --cycles and --planted measure one thing alone: misses, edits and first looks; scripted agents in small windows; a
// hundred compressions of one conversation; facts that were said once. Without a path and without them, everything is measured.
// --exam DIR tells by the words of the keys what the views of cut sessions hold; with --prepare, --views and --answers it holds an exam with
// readers (docs/guide/exam.md). --exam DIR --answers --record keeps the readers' grades in results/exam.json, the README's first table.
// --record keeps the figures in results/, from which `npm run readme` makes the README's tables, docs/results.md and the CSV files beside it; it
// wants these sessions. With --only it replaces what was recorded of these candidates: the figures of other libraries do not change with ours.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { exitCodes, type Io, processIo, run } from '@ctx/cli';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const defaults = [here('../sessions'), here('../../../shared/data')].filter(existsSync);
/** Options whose value stands in the next argument. */
const withValue =
  '--only --half --json --markdown --summary --exam --prepare --prefix --budget --label'.split(' ');

/** Options that leave out what takes long. */
const parts = /^--(?:static|half|replays|loop|cycles|planted)\b/;

/** Returns the exit code. */
export async function main(args: readonly string[], io: Io): Promise<number> {
  const paths = args.filter((arg, at) => !arg.startsWith('-') && !withValue.includes(args[at - 1] ?? ''));
  const others = args.filter((arg) => arg !== '--record');
  if (args.includes('--exam')) return exam(args, others, io);
  const isPart = others.some((arg) => parts.test(arg));
  const whole = isPart ? [] : ['--more'];
  const given = paths.length > 0 ? others : [...others, ...whole, '--', ...defaults];
  if (!args.includes('--record')) return run(['bench', ...given], io);
  if (paths.length > 0 || isPart) {
    io.err(
      'What is recorded is of the default sessions: leave --record, or the paths, --static, --half, --replays, --loop, --cycles and --planted.\n',
    );
    return exitCodes.usage;
  }
  mkdirSync(here('results/'), { recursive: true });
  const isSome = others.some((arg) => arg.startsWith('--only'));
  const summary = here('results/compare.json');
  const recorded = isSome ? recordedIn(summary) : {};
  const status = await run(['bench', '--summary', summary, ...given], io);
  if (status !== exitCodes.done) return status;
  const day = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);
  writeFileSync(summary, `${JSON.stringify(merged(recorded, recordedIn(summary), day))}\n`);
  return status;
}

/** A step of an exam. What readers got is recorded, and nothing else of it. */
function exam(args: readonly string[], others: readonly string[], io: Io): Promise<number> | number {
  if (!args.includes('--record')) return run(['bench', ...others], io);
  if (args.includes('--answers'))
    return run(['bench', '--summary', here('results/exam.json'), ...others], io);
  io.err("Readers' grades are recorded: --exam DIR --answers --record.\n");
  return exitCodes.usage;
}

/** A recorded summary: numbers, and lists of rows of which most belong to a candidate. */
type Recorded = Readonly<Record<string, unknown>>;

const recordedIn = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Recorded;

/** What the tables are made of. */
const kept = ['sessions', 'sources', 'cuts', 'needed', 'overall', 'replays', 'loop', 'cycles', 'planted'];

/** What was recorded, with newer rows in place of those of the same candidates, and the day of each candidate's figures. */
export function merged(recorded: Recorded, newer: Recorded, day: string): Recorded {
  const entries = kept.map((key) => {
    const rows = rowsOf(newer[key]);
    const names = new Set(rows.map(({ candidate }) => candidate));
    const older = rowsOf(recorded[key]).filter(({ candidate }) => !names.has(candidate));
    return [key, older.length === 0 ? newer[key] : [...older, ...rows]];
  });
  const days = rowsOf(newer.overall).map(({ candidate }) => [candidate, day]);
  const before = recorded.recorded as Readonly<Record<string, string>> | undefined;
  return { ...Object.fromEntries(entries), recorded: { ...before, ...Object.fromEntries(days) } };
}

function rowsOf(value: unknown): readonly { readonly candidate: unknown }[] {
  const isRow = (row: unknown): row is { candidate: unknown } =>
    typeof row === 'object' && row !== null && 'candidate' in row;
  return Array.isArray(value) && value.every(isRow) ? value : [];
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  main(process.argv.slice(2), processIo(new AbortController().signal)).then((status) => {
    process.exitCode = status;
  });
