import type { Io } from './io.js';
import { shownLine } from './shown.js';

/** Ms; shorter work needs no bar. */
const patience = 700;
/** Ms between two pictures of the bar, and between two lines if nobody looks at a terminal. */
const [redraw, quietLine] = [100, 10_000];
/** Columns of the bar, and of what is worked on, so that a line of 80 has room for the rest. */
const [barSize, whatSize] = [20, 30];
/** Goes to the beginning of the line and clears it. */
const clear = '\r\u001B[2K';

export type Progress = ReturnType<typeof progressOn>;

/** Shows how far work has come: a bar with the time to go on a terminal; otherwise a line now and then. Nothing for work that is soon done. */
export function progressOn({ screen, now, err }: Io, title: string) {
  const start = now();
  let [last, isDrawn] = [start, false];
  return {
    /** @param done share of the work, 0–1 */
    step: (what: string, done: number) => {
      const time = now();
      const isDue = isDrawn ? time - last >= redraw : time - start >= patience;
      if (screen === undefined ? time - last < quietLine : !isDue) return;
      last = time;
      const percent = `${Math.floor(done * 100)} %`;
      if (screen === undefined) {
        err(`${title} ${shownLine(what)}: ${percent}\n`);
        return;
      }
      isDrawn = true;
      const bar = '█'.repeat(Math.floor(done * barSize)).padEnd(barSize, '░');
      const left = timeLeft(time - start, done);
      screen.write(`${clear}${title} ${bar} ${percent} ${left} ${shownLine(what).slice(0, whatSize)}`);
    },
    /** Clears the line. */
    done: () => {
      if (isDrawn) screen?.write(clear);
      isDrawn = false;
    },
  };
}

/** `12 s to go`, from the time that the work took so far. */
function timeLeft(passed: number, done: number): string {
  if (done <= 0) return '';
  const seconds = Math.ceil((passed * (1 - done)) / done / 1_000);
  if (seconds < 60) return `${seconds} s to go`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s to go`;
}
