import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type BenchRun,
  type Candidate,
  candidates,
  type Half,
  loadSessions,
  markdownTable,
  replayTablesOf,
  runBench,
  sessionFiles,
  sessionTable,
  type Table,
  tablesOf,
} from '@ctx/bench';
import { CtxError } from '@ctx/core';
import { findSessions } from '@ctx/sessions';
import { failureOf } from '../errors.js';
import { exitCodes } from '../exit-codes.js';
import { candidatesNamed } from '../names.js';
import { writeWhole } from '../session/write.js';
import type { Io } from '../terminal/io.js';
import { progressOn } from '../terminal/progress.js';
import { counted, shownJson } from '../terminal/shown.js';
import { type Measurable, parts } from './parts.js';

/** What the options of `ctx bench` say; its help explains them. */
export interface BenchRequest extends Partial<Record<PartName | 'static' | 'replays' | 'more', boolean>> {
  readonly paths: readonly string[];
  readonly only?: readonly string[] | undefined;
  readonly half?: Half | undefined;
  /** A file; `true` for the standard output. */
  readonly json?: string | true | undefined;
  readonly markdown?: string | undefined;
  readonly summary?: string | undefined;
}

type PartName = keyof typeof parts;

/** Sessions of this machine if no path is given: enough for a mean, and few enough for some minutes. */
const newestCount = 10;

/** Measures what each strategy keeps of what agents need next. */
export async function runBenchmark(io: Io, request: BenchRequest): Promise<number> {
  const candidates = await chosenOf(io, request.only);
  const chosen = partsOf(request);
  const isMade = chosen.length > 0 && chosen.every((name) => name === 'loop' || name === 'planted');
  const inputs = isMade ? nothing : await inputsOf(io, request);
  const failed = inputs.errors.map((error) => failureOf(error).line);
  const named = request.paths.filter((path) => !isFolder(resolve(io.cwd, path)));
  const isNamed = (error: CtxError) => named.some((path) => error.place?.startsWith(resolve(io.cwd, path)));
  for (const [index, error] of inputs.errors.entries())
    io.err(`${isNamed(error) ? '' : 'Skipped: '}${failed[index]}\n`);
  const what = { ...inputs, candidates, isNamed: request.only !== undefined && request.cycles === true };
  await publish(io, await measure(io, what, request, chosen), request);
  return inputs.errors.some(isNamed) ? exitCodes.input : exitCodes.done;
}

/** Those that are named, or all whose packages are installed. */
async function chosenOf(io: Io, only: readonly string[] | undefined): Promise<readonly Candidate[]> {
  const chosen: Candidate[] = [];
  const leftOut = new Map<string, string[]>();
  for (const candidate of candidatesNamed(candidates, only))
    try {
      await candidate.load?.();
      chosen.push(candidate);
    } catch (error) {
      if (only !== undefined || !CtxError.isInstance(error)) throw error;
      const { line } = failureOf(error);
      leftOut.set(line, [...(leftOut.get(line) ?? []), candidate.name]);
    }
  for (const [line, left] of leftOut) io.err(`Left out: ${left.join(', ')}. ${line}\n`);
  return chosen;
}

interface Inputs extends Pick<Measurable, 'sessions'> {
  /** Why some files are not measured. */
  readonly errors: readonly CtxError[];
}

const nothing: Inputs = { sessions: [], errors: [] };

/** The sessions that are measured. */
async function inputsOf(io: Io, { paths }: BenchRequest): Promise<Inputs> {
  const missing = paths.find((path) => !existsSync(resolve(io.cwd, path)));
  if (missing !== undefined)
    throw new CtxError({
      code: 'session-unreadable',
      problem: 'There is no such file or folder',
      place: missing,
      remedy: 'Give the path of a session file, or of a folder with some.',
    });
  const files =
    paths.length === 0 ? await newestFiles(io) : paths.flatMap((path) => sessionFiles(resolve(io.cwd, path)));
  const inputs = await loadSessions(files);
  if (inputs.sessions.length > 0) return inputs;
  const [error] = inputs.errors;
  if (error !== undefined && files.length === 1) throw error;
  throw new CtxError({
    code: 'session-missing',
    problem: 'No session was found',
    remedy: 'Give the path of a session file, or of a folder with some.',
  });
}

async function newestFiles({ home, env, err }: Io): Promise<string[]> {
  const found = (await findSessions({ home, env })).slice(0, newestCount);
  err(`${counted(found.length, 'session')} of this machine, the newest ones.\n`);
  return found.map(({ path }) => path);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** What is measured besides cuts and replays. */
function partsOf({ more, ...request }: BenchRequest): readonly PartName[] {
  const all = Object.keys(parts) as PartName[];
  return more === true ? all : all.filter((name) => request[name] === true);
}

/** What the benchmark finds: tables of the parts besides cuts and replays, and their rows by their names. */
async function measure(io: Io, what: Measurable, request: BenchRequest, chosen: readonly PartName[]) {
  const { half, static: isStatic = false, replays = false } = request;
  const progress = progressOn(io, 'measuring');
  const tables: Table[] = [];
  const rows: Record<string, readonly unknown[]> = {};
  try {
    const isAlone = request.more !== true && chosen.length > 0;
    const run = await runBench(isAlone ? [] : what.sessions, {
      candidates: what.candidates,
      ...(isStatic && { limits: [] }),
      replaysOnly: replays,
      ...(half !== undefined && { half }),
      onProgress: progress.step,
    });
    for (const name of chosen) {
      const found = await parts[name](what, progress);
      tables.push(...found.tables);
      rows[name] = found.rows;
    }
    if (run.cuts.length > 0 || run.replays.length > 0 || tables.length > 0) return { run, tables, rows };
  } finally {
    progress.done();
  }
  throw new CtxError({
    code: 'session-empty',
    problem: 'Nothing could be measured',
    remedy: `A cut needs 3,000 tokens before it, and something of them used again. Give longer sessions${request.only === undefined ? '' : ', or leave --only out'}.`,
  });
}

const reportText = (tables: readonly Table[], said: readonly string[] = []) =>
  `${[...said, ...tables.map(({ title, columns, rows }) => `### ${title}\n\n${markdownTable(columns, rows)}`)].join('\n\n')}\n`;

/** A session alone has no means over sources and kinds of work; --markdown writes the tables that have them. */
const oneSession = (summary: BenchRun['summary'], said: string) =>
  reportText(
    [sessionTable(summary)],
    [
      `${said}, and brought to a half, a quarter and an eighth of its tokens. Misses: what was used and not in the view, in %. Cost: of all input, relative to no compression. --markdown writes every table to a file.`,
    ],
  );

/** Prints the tables, and writes what was asked for. */
async function publish(
  io: Io,
  { run, tables: others, rows }: Awaited<ReturnType<typeof measure>>,
  request: BenchRequest,
): Promise<void> {
  const { summary, cuts } = run;
  const ofRun = cuts.length === 0 ? replayTablesOf : tablesOf;
  const said = `${counted(summary.sessions, 'conversation')} of ${counted(summary.sources.length, 'source')}, cut in ${counted(summary.cuts, 'place')}`;
  const tables = [...ofRun(summary), ...others];
  const report = reportText(tables, cuts.length === 0 ? [] : [said]);
  const json = `${shownJson(cuts, 2)}\n`;
  const isOne = summary.sessions === 1 && cuts.length > 0 && request.static !== true;
  const shown = isOne ? oneSession(summary, said) : report;
  io.out(request.json === true ? json : `${shown}\n`);
  const write = (out: string | undefined, text: string) =>
    out === undefined ? undefined : writeWhole(io, text, { out });
  if (typeof request.json === 'string') await write(request.json, json);
  await write(request.markdown, report);
  await write(request.summary, `${JSON.stringify({ ...summary, ...rows })}\n`);
}
