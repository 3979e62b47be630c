import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import {
  type ExamPoint,
  evidencePoints,
  examRows,
  examSessions,
  examTable,
  examViews,
  gradedPoints,
  loadCounter,
  markdownTable,
  prepareExam,
  totalTokens,
  writeSheets,
  writeViews,
} from '@ctx/bench';
import { exitCodes } from '../exit-codes.js';
import { writeWhole } from '../session/write.js';
import type { Io } from '../terminal/io.js';
import { progressOn } from '../terminal/progress.js';
import { counted, figure } from '../terminal/shown.js';

/** What the options of `ctx bench --exam` say; its help explains them. */
export interface ExamRequest {
  /** The folder with the cut sessions, or one with them in its folder `sessions`. */
  readonly exam: string;
  readonly prepare?: string | undefined;
  readonly prefix?: number | undefined;
  readonly views?: boolean | undefined;
  readonly answers?: boolean | undefined;
  readonly budget?: number | undefined;
  readonly label?: string | undefined;
  readonly only?: readonly string[] | undefined;
  readonly markdown?: string | undefined;
  readonly summary?: string | undefined;
}

/** Tokens: a fifth, and a tenth, of a session. */
const usualBudgets = [16_000, 8_000];
/** Tokens: what the first exam was held about, so that others can be compared with it. */
const usualPrefix = 82_000;

/** Holds an exam about compressed sessions: a step of it for each option. */
export async function runExam(io: Io, request: ExamRequest): Promise<number> {
  const { prepare, prefix = usualPrefix, budget, only, label } = request;
  const given = resolve(io.cwd, request.exam);
  const folder = existsSync(join(given, 'sessions')) ? join(given, 'sessions') : given;
  const tokensOf = await loadCounter();
  if (prepare !== undefined) {
    const made = await prepareExam(folder, resolve(io.cwd, prepare), { prefixTokens: prefix, tokensOf });
    const where = relative(io.cwd, made.folder);
    io.out(
      `${where}: ${counted(made.messages, 'message')}, ${figure(made.tokens)} tokens. Read full.txt and future.txt there and write questions.json.\n`,
    );
    return exitCodes.done;
  }
  const sessions = examSessions(folder);
  const about = {
    questions: sessions.reduce((sum, { questions }) => sum + questions.length, 0) / sessions.length,
    tokens: Math.round(
      sessions.reduce((sum, { messages }) => sum + totalTokens(messages, tokensOf), 0) / sessions.length,
    ),
  };
  if (request.answers === true) {
    writeSheets(folder, sessions);
    const { points, ungraded } = gradedPoints(folder, sessions);
    for (const sheet of ungraded) io.err(`To be graded: ${relative(io.cwd, sheet)}\n`);
    await publish(io, points, { ...about, title: 'What readers answer' }, request);
    return exitCodes.done;
  }
  const budgets = budget === undefined ? usualBudgets : [budget];
  const progress = progressOn(io, 'compressing');
  const points: ExamPoint[] = [];
  const written: string[] = [];
  try {
    for (const [index, session] of sessions.entries()) {
      progress.step(session.name, index / sessions.length);
      const views = await examViews(session, { budgets, tokensOf, only });
      points.push(...evidencePoints(session, views));
      if (request.views === true)
        written.push(`${session.name}: ${writeViews(folder, session, views, label).join(' ')}\n`);
    }
  } finally {
    progress.done();
  }
  if (request.views === true) io.out(written.join(''));
  else {
    const title = 'Evidence: telling words of the keys that a view holds';
    await publish(io, points, { ...about, title }, request);
  }
  return exitCodes.done;
}

interface About {
  readonly title: string;
  /** Of a session, on average; tokens are those before the cut. */
  readonly questions: number;
  readonly tokens: number;
}

/** Prints the table, and writes what was asked for. */
async function publish(
  io: Io,
  points: readonly ExamPoint[],
  { title, ...about }: About,
  { markdown, summary }: ExamRequest,
): Promise<void> {
  const rows = examRows(points);
  const table = examTable(rows, title);
  const text = `### ${table.title}\n\n${markdownTable(table.columns, table.rows)}\n`;
  if (rows.length > 0) io.out(text);
  if (markdown !== undefined) await writeWhole(io, text, { out: markdown });
  if (summary !== undefined)
    await writeWhole(io, `${JSON.stringify({ ...about, rows }, undefined, 1)}\n`, {
      out: summary,
    });
}
