import { homedir } from 'node:os';
import process from 'node:process';
import type { Writable } from 'node:stream';

/** What a command may use of the world: where it writes, where it runs, and when it has to stop. */
export interface Io {
  /** Writes to the standard output: the result and nothing else. */
  readonly out: (text: string) => void;
  /** Writes to the standard error: progress, remarks and errors. */
  readonly err: (text: string) => void;
  /** Columns of the output. */
  readonly columns: number;
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
  readonly now: () => number;
}

/** Columns if the output is no terminal: wide enough for every table, narrow enough for a mail. */
const pipedColumns = 120;
/** Columns; a narrower terminal wraps lines. */
const leastColumns = 40;

/** The terminal, or the pipes, that this process was started with. */
export function processIo(signal: AbortSignal): Io {
  const { stdout, stderr, env } = process;
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    columns: Math.max(leastColumns, stdout.columns || Number(env.COLUMNS) || pipedColumns),
    hasColor: colorOf(env, stdout.isTTY === true),
    env,
    home: homedir(),
    cwd: process.cwd(),
    signal,
    screen: stderr.isTTY === true ? stderr : undefined,
    now: Date.now,
  };
}

/** `NO_COLOR` and `FORCE_COLOR` as https://no-color.org and https://force-color.org describe them. */
function colorOf(env: Io['env'], isTerminal: boolean): boolean {
  if ((env.NO_COLOR ?? '') !== '') return false;
  if ((env.FORCE_COLOR ?? '') !== '') return env.FORCE_COLOR !== '0';
  return isTerminal && env.TERM !== 'dumb';
}
