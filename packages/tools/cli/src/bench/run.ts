import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type BenchRun,
  type BenchSession,
  type Candidate,
  type Chat,
  candidates,
  type Half,
  loadChats,
  loadSessions,
  loopTables,
  madeChats,
  markdownTable,
  measureLoop,
  plantedTables,
  renderReport,
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
import { unknownName } from '../names.js';
import { writeWhole } from '../session/write.js';
import type { Io } from '../terminal/io.js';
import { progressOn } from '../terminal/progress.js';
import { counted, shownJson } from '../terminal/shown.js';
import { type Inputs, type More, measureMore, nothingMore, plantedOf } from './measure-more.js';
import { stepsOf } from './steps.js';

export interface BenchRequest {
  /** Files of sessions or of chats with questions, and folders with some. @default the newest sessions on this machine */
  readonly paths: readonly string[];
  /** Names of candidates. @default all */
  readonly only?: readonly string[] | undefined;
  /** Leaves out the replays, which take long. */
  readonly static?: boolean | undefined;
  /** Measures the replays alone. */
  readonly replays?: boolean | undefined;
  /** Measures scripted agents alone, which need no sessions. */
  readonly loop?: boolean | undefined;
  /** Measures many compressions of one conversation alone. */
  readonly cycles?: boolean | undefined;
  /** Measures planted facts alone, which need no sessions. */
  readonly planted?: boolean | undefined;
  /** Adds scripted agents, many compressions of one conversation and planted facts to everything else. */
  readonly more?: boolean | undefined;
  /** Every other session, to try things on one half and report on the other. */
  readonly half?: Half | undefined;
  /** Adds chats made from templates in four languages. */
  readonly madeChats?: boolean | undefined;
  /** A file for a page with the tables and the steps of one session. */
  readonly html?: string | undefined;
  /** A file for every cut; `true` for the standard output. */
  readonly json?: string | true | undefined;
  /** A file for the tables. */
  readonly markdown?: string | undefined;
  /** A file for the averages, as JSON. */
  readonly summary?: string | undefined;
}

/** Sessions of this machine if no path is given: enough for a mean, and few enough for some minutes. */
const newestCount = 10;

/** Measures what each strategy keeps of what agents need next. */
export async function runBenchmark(io: Io, request: BenchRequest): Promise<number> {
  const chosen = await chosenOf(io, request.only);
  if (request.loop === true || request.planted === true) return publishMade(io, chosen, request);
  const inputs = await inputsOf(io, request);
  const failed = inputs.errors.map((error) => failureOf(error).line);
  const named = request.paths.filter((path) => !isFolder(resolve(io.cwd, path)));
  const isNamed = (error: CtxError) => named.some((path) => error.place?.startsWith(resolve(io.cwd, path)));
  for (const [index, error] of inputs.errors.entries())
    io.err(`${isNamed(error) ? '' : 'Skipped: '}${failed[index]}\n`);
  const measured = await measure(io, inputs, chosen, request);
  await publish(io, measured, { sessions: inputs.sessions, candidates: chosen }, request);
  return inputs.errors.some(isNamed) ? exitCodes.input : exitCodes.done;
}

/** Those that are named, or all whose packages are installed. */
async function chosenOf(io: Io, only: readonly string[] | undefined): Promise<readonly Candidate[]> {
  const names = candidates.map(({ name }) => name);
  const unknown = only?.find((name) => !names.includes(name));
  if (unknown !== undefined) throw unknownName('--only', unknown, names);
  const chosen: Candidate[] = [];
  const leftOut = new Map<string, string[]>();
  for (const candidate of candidates.filter(({ name }) => only === undefined || only.includes(name)))
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

/** What is measured: files with chats that have questions, or with sessions of agents. */
async function inputsOf(io: Io, { paths, madeChats: withChats = false }: BenchRequest): Promise<Inputs> {
  const missing = paths.find((path) => !existsSync(resolve(io.cwd, path)));
  if (missing !== undefined)
    throw new CtxError({
      code: 'session-unreadable',
      problem: 'There is no such file or folder',
      place: missing,
      remedy: 'Give the path of a session file, of a chat, or of a folder with some.',
    });
  const files =
    paths.length === 0 ? await newestFiles(io) : paths.flatMap((path) => sessionFiles(resolve(io.cwd, path)));
  const chats: Chat[] = [];
  const others: string[] = [];
  for (const file of files) {
    const found = await loadChats(file);
    if (found.length === 0) others.push(file);
    chats.push(...found);
  }
  const inputs: Inputs = { chats, ...(await loadSessions(others)) };
  if (withChats) chats.push(...madeChats());
  if (inputs.sessions.length > 0 || inputs.chats.length > 0) return inputs;
  const [error] = inputs.errors;
  if (error !== undefined && files.length === 1) throw error;
  throw new CtxError({
    code: 'session-missing',
    problem: 'No session was found',
    remedy: 'Give the path of a session file, of a chat, or of a folder with some.',
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

interface Measured {
  readonly run: BenchRun;
  readonly more: More;
}

/** Scripted agents or planted facts alone: what is made and needs no sessions. */
async function publishMade(io: Io, candidates: readonly Candidate[], request: BenchRequest): Promise<number> {
  const progress = progressOn(io, 'measuring');
  const measured =
    request.planted === true
      ? plantedOf(candidates, progress).then(plantedTables)
      : measureLoop({ candidates, onStep: progress.step }).then(loopTables);
  const report = reportText(await measured.finally(progress.done));
  io.out(report);
  if (request.markdown !== undefined) await writeWhole(io, report, { out: request.markdown });
  return exitCodes.done;
}

async function measure(
  io: Io,
  inputs: Inputs,
  chosen: readonly Candidate[],
  { half, static: isStatic = false, replays = false, cycles = false, more: withMore = false }: BenchRequest,
): Promise<Measured> {
  const progress = progressOn(io, 'measuring');
  try {
    const run = await runBench(cycles ? [] : inputs.sessions, {
      candidates: chosen,
      ...(isStatic && { limits: [] }),
      replaysOnly: replays,
      ...(half !== undefined && { half }),
      onProgress: progress.step,
    });
    const isPart = isStatic || replays || half !== undefined;
    const more = isPart
      ? nothingMore
      : await measureMore(inputs, chosen, { progress, cyclesOnly: cycles, withLoop: withMore });
    if (run.cuts.length > 0 || run.replays.length > 0 || more.tables.length > 0) return { run, more };
  } finally {
    progress.done();
  }
  throw new CtxError({
    code: 'session-empty',
    problem: 'No session is long enough',
    remedy: 'A cut needs 3,000 tokens before it, and something of them used again. Give longer sessions.',
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

interface Chosen {
  readonly sessions: readonly BenchSession[];
  readonly candidates: readonly Candidate[];
}

/** Prints the tables, and writes what was asked for. */
async function publish(
  io: Io,
  { run, more }: Measured,
  { sessions, candidates }: Chosen,
  request: BenchRequest,
): Promise<void> {
  const { summary, cuts } = run;
  const ofRun = cuts.length === 0 ? replayTablesOf : tablesOf;
  const said = `${counted(summary.sessions, 'conversation')} of ${counted(summary.sources.length, 'source')}, cut in ${counted(summary.cuts, 'place')}`;
  const tables = [...ofRun(summary), ...more.tables];
  const report = reportText(tables, cuts.length === 0 ? [] : [said]);
  const json = `${shownJson(cuts, 2)}\n`;
  const isOne = summary.sessions === 1 && cuts.length > 0 && request.static !== true;
  const shown = isOne ? oneSession(summary, said) : report;
  io.out(request.json === true ? json : `${shown}\n`);
  const write = (out: string | undefined, text: string) =>
    out === undefined ? undefined : writeWhole(io, text, { out });
  if (typeof request.json === 'string') await write(request.json, json);
  await write(request.markdown, report);
  await write(
    request.summary,
    `${JSON.stringify({ ...summary, loop: more.loop, cycles: more.cycles, planted: more.planted })}\n`,
  );
  if (request.html === undefined) return;
  const createdAt = new Date(io.now()).toISOString();
  const steps = await stepsOf(io, { sessions, candidates, createdAt });
  const about = {
    createdAt,
    sessions: summary.sessions,
    candidates: candidates.length,
  };
  await write(request.html, await renderReport(tables, about, steps));
  io.err(`The report is in ${request.html}.\n`);
}
