import { ms } from './timing.js';

/** A figure of the table, with what it should be. */
export interface Figure {
  readonly what: string;
  readonly measured: string;
  readonly goal: string;
  readonly reached: boolean;
}

/** Collects figures, and tells what is being measured. */
export class Figures {
  readonly all: Figure[] = [];

  /** @param step called with what was measured last */
  constructor(readonly step: (what: string) => void) {}

  add(what: string, measured: string, goal: string, reached: boolean): void {
    this.all.push({ what, measured, goal, reached });
  }

  /** A time that should be shorter than so many ms. */
  below(what: string, taken: number, goal: number): void {
    this.add(what, `${ms(taken)} ms`, `< ${goal < 1_000 ? `${goal} ms` : `${goal / 1_000} s`}`, taken < goal);
  }
}
