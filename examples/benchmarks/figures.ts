/** A figure of the table, with what it should be. */
export interface Figure {
  readonly what: string;
  readonly measured: string;
  readonly goal: string;
  readonly reached: boolean;
}

export const figures: Figure[] = [];

export function figure(what: string, measured: string, goal: string, reached: boolean): void {
  figures.push({ what, measured, goal, reached });
}
