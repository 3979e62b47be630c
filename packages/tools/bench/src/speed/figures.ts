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
}
