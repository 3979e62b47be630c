import type { Readable, Writable } from 'node:stream';

/** What a command may use of the world: where it writes, where it runs, and when it has to stop. */
export interface Io {
  /** Writes to the standard output: the result and nothing else. */
  readonly out: (text: string) => void;
  /** Writes to the standard error: progress, remarks and errors. */
  readonly err: (text: string) => void;
  /** Columns of the output. */
  readonly columns: number;
  /** True if a person looks at the standard output. */
  readonly isTerminal: boolean;
  readonly hasColor: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly home: string;
  /** Paths are relative to it. */
  readonly cwd: string;
  /** Aborted when the user presses Ctrl-C. */
  readonly signal: AbortSignal;
  /** A terminal to draw progress on; missing if the standard error is none. */
  readonly screen?: Writable | undefined;
  /** Where answers to questions are typed; missing if it is no terminal. */
  readonly keyboard?: Readable | undefined;
  readonly now: () => number;
}
