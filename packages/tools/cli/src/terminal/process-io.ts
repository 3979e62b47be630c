import { homedir } from 'node:os';
import process from 'node:process';
import type { Io } from './io.js';

/** Columns if the output is no terminal: wide enough for every table, narrow enough for a mail. */
const pipedColumns = 120;
/** Columns; a narrower terminal wraps lines. */
const leastColumns = 40;

/** The terminal, or the pipes, that this process was started with. */
export function processIo(signal: AbortSignal): Io {
  const { stdout, stderr, stdin, env } = process;
  const isTerminal = stdout.isTTY === true;
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    columns: Math.max(leastColumns, stdout.columns || Number(env.COLUMNS) || pipedColumns),
    isTerminal,
    hasColor: colorOf(env, isTerminal),
    env,
    home: homedir(),
    cwd: process.cwd(),
    signal,
    screen: stderr.isTTY === true ? stderr : undefined,
    keyboard: stdin.isTTY === true ? stdin : undefined,
    now: Date.now,
  };
}

/** `NO_COLOR` and `FORCE_COLOR` as https://no-color.org and https://force-color.org describe them. */
function colorOf(env: Io['env'], isTerminal: boolean): boolean {
  if ((env.NO_COLOR ?? '') !== '') return false;
  if ((env.FORCE_COLOR ?? '') !== '') return env.FORCE_COLOR !== '0';
  return isTerminal && env.TERM !== 'dumb';
}
