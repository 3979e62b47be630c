import type { Command } from 'commander';
import type { Io } from '../terminal/io.js';

/** What an action works with, and where it leaves its exit code. */
export interface Run {
  readonly io: Io;
  /** The command line, without the names of Node and of the script. */
  readonly args: readonly string[];
  exitCode: number;
}

/** Adds a command to the program. */
export type AddCommand = (program: Command, run: Run) => void;

/** Examples below a command's help, each with what it is for. */
export function withExamples(
  command: Command,
  examples: readonly (readonly [line: string, what: string])[],
): Command {
  const width = Math.max(...examples.map(([line]) => line.length));
  const lines = examples.map(([line, what]) => `  ${line.padEnd(width)}  # ${what}`);
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}
