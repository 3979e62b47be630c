import type { Run } from './commands/command.js';
import { failureOf } from './errors.js';
import { exitCodes } from './exit-codes.js';
import { programFor } from './program.js';
import type { Io } from './terminal/io.js';

/**
 * Runs a command line.
 * @param args without the names of Node and of the script
 * @returns the exit code; an error is printed in one line
 */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const state: Run = {
    args,
    io: args.includes('--no-color') ? { ...io, hasColor: false } : io,
    exitCode: exitCodes.done,
  };
  const program = programFor(state);
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync([...args], { from: 'user' });
    return state.exitCode;
  } catch (error) {
    const { line, exitCode } = failureOf(error);
    if (line !== '') io.err(`${line}\n`);
    if (exitCode === exitCodes.failed && (io.env.CTX_DEBUG ?? '') !== '' && error instanceof Error)
      io.err(`${error.stack}\n`);
    return exitCode;
  }
}
