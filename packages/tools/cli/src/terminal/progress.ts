import { SingleBar } from 'cli-progress';
import type { Io } from './io.js';
import { shownLine } from './shown.js';

/** Shows how far work has come, and how long it will take. */
export interface Progress {
  /** @param done share of the work, 0–1 */
  readonly step: (what: string, done: number) => void;
  /** Clears the line. */
  readonly done: () => void;
}

/** Ms; shorter work needs no bar. */
const patience = 700;
/** Ms between two lines if nobody looks at a terminal. */
const quietLine = 10_000;
/** Steps of the bar: fine enough that it moves. */
const total = 1_000;
/** Columns of the bar, so that a line of 80 has room for the rest. */
const barSize = 20;

/** A bar with the time to go on a terminal; otherwise a line now and then. Nothing for work that is soon done. */
export function progressOn(io: Io, title: string): Progress {
  const start = io.now();
  const output = io.screen;
  let lastLine = start;
  let bar: SingleBar | undefined;
  return {
    step(what, done) {
      const now = io.now();
      if (output === undefined) {
        if (now - lastLine < quietLine) return;
        lastLine = now;
        io.err(`${title} ${shownLine(what)}: ${Math.floor(done * 100)} %\n`);
        return;
      }
      if (bar === undefined && now - start < patience) return;
      bar ??= startBar(output, title, start);
      bar.update(Math.floor(done * total), {
        what: shownLine(what).slice(0, 40),
        left: timeLeft(now - start, done),
      });
    },
    done() {
      bar?.stop();
      bar = undefined;
    },
  };
}

function startBar(stream: NonNullable<Io['screen']>, title: string, start: number): SingleBar {
  const bar = new SingleBar({
    format: `${title} {bar} {percentage} % {left} {what}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: barSize,
    stream: stream as NodeJS.WritableStream,
    clearOnComplete: true,
    hideCursor: true,
    linewrap: false,
    // The command itself clears the line on Ctrl-C.
    gracefulExit: false,
  });
  bar.start(total, 0, { what: '', left: '', start });
  return bar;
}

/** `12 s to go`, from the time that the work took so far. */
function timeLeft(passed: number, done: number): string {
  if (done <= 0) return '';
  const seconds = Math.ceil((passed * (1 - done)) / done / 1_000);
  if (seconds < 60) return `${seconds} s to go`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s to go`;
}
