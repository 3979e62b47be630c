import { resolve } from 'node:path';
import { markdownTable } from '@ctx/bench/markdown-table';
import { sessionFiles } from '@ctx/bench/session-files';
import { measureSpeed } from '@ctx/bench/speed';
import { failureOf } from '../errors.js';
import { exitCodes } from '../exit-codes.js';
import { writeWhole } from '../session/write.js';
import type { Io } from '../terminal/io.js';
import { progressOn } from '../terminal/progress.js';

export interface SpeedRequest {
  /** Files of sessions, and folders with some, of which long conversations are made. @default an invented conversation */
  readonly paths: readonly string[];
  /** A file for the tables. */
  readonly markdown?: string | undefined;
  /** A file for the figures, as JSON. */
  readonly summary?: string | undefined;
}

/** What is measured one after the other: 12 first compressions, 17 lengths and texts, and 5 rows of peers. */
const steps = 34;

/** Measures how fast ctx is, and prints the figures with their goals. */
export async function runSpeed(io: Io, { paths, markdown, summary }: SpeedRequest): Promise<number> {
  const sessions = paths.flatMap((path) => sessionFiles(resolve(io.cwd, path)));
  const progress = progressOn(io, 'measuring');
  let done = 0;
  const onStep = (what: string) => {
    done += 1;
    progress.step(what, Math.min(1, done / steps));
  };
  const speed = await measureSpeed({ sessions, onStep }).finally(progress.done);
  const { title, figures, peers, leftOut } = speed;
  const figureTable = markdownTable(
    ['what', 'measured', 'goal', 'reached'],
    figures.map(({ what, measured, goal, reached }) => [what, measured, goal, reached ? 'yes' : 'no']),
  );
  const beside =
    peers === undefined
      ? ''
      : `Median ms to bring a conversation to half of its tokens (pruneMessages has no budget: it removes tool calls before the last ten messages):\n\n${markdownTable([...peers.columns], peers.rows)}\n\n`;
  const report = `${figureTable}\n\n${beside}${title}\n`;
  if (markdown !== undefined) await writeWhole(io, report, { out: markdown });
  const json = { title, figures, ...(peers && { peers: peers.rows }) };
  if (summary !== undefined)
    await writeWhole(io, `${JSON.stringify(json, undefined, 2)}\n`, { out: summary });
  io.out(report);
  if (leftOut !== undefined) io.err(`Left out: LangChain and the AI SDK. ${failureOf(leftOut).line}\n`);
  return exitCodes.done;
}
