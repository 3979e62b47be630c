import { resolve } from 'node:path';
import { markdownTable, sessionFiles } from '@ctx/bench/measure';
import { measureSpeed } from '@ctx/bench/speed';
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

/** What is measured one after the other: the first compression, 20 lengths of a conversation, 6 of compressions, and later requests. */
const steps = 28;

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
  const { title, figures } = speed;
  const figureTable = markdownTable(
    ['what', 'measured', 'goal', 'reached'],
    figures.map(({ what, measured, goal, reached }) => [what, measured, goal, reached ? 'yes' : 'no']),
  );
  const report = `${figureTable}\n\n${title}\n`;
  if (markdown !== undefined) await writeWhole(io, report, { out: markdown });
  if (summary !== undefined)
    await writeWhole(io, `${JSON.stringify({ title, figures }, undefined, 2)}\n`, { out: summary });
  io.out(report);
  return exitCodes.done;
}
