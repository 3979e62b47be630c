import { existsSync, readFileSync } from 'node:fs';
import { Command } from 'commander';
import { addBench } from './commands/bench.js';
import { type Run, withExamples } from './commands/command.js';
import { addCompress } from './commands/compress.js';
import { addContext } from './commands/context.js';
import { addDemo } from './commands/demo.js';
import { addMcp } from './commands/mcp.js';
import { addProxy } from './commands/proxy.js';
import { addReplay } from './commands/replay.js';
import { failureOf } from './errors.js';
import { exitCodes, exitCodeTexts } from './exit-codes.js';
import type { Io } from './terminal/io.js';

/** In the order of the help. */
const commands = [addContext, addCompress, addReplay, addBench, addDemo, addMcp, addProxy];

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

/** The command line: every command with its options and its help. Nothing is read or written before it is parsed. */
function programFor(run: Run): Command {
  const { io } = run;
  const program = new Command('ctx')
    .description(
      'Shows what fills the context window of an agent’s session, makes it smaller, and measures what that loses. Only what an agent sends through ctx proxy leaves this machine.',
    )
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show the help of a command')
    .option('--no-color', 'print without colours, as with NO_COLOR=1')
    .exitOverride()
    .configureOutput({
      writeOut: io.out,
      writeErr: () => undefined,
      getOutHelpWidth: () => io.columns,
      getErrHelpWidth: () => io.columns,
      getOutHasColors: () => io.hasColor,
    })
    .showSuggestionAfterError(true);
  for (const add of commands) add(program, run);
  const codes = exitCodeTexts.map(([code, meaning]) => `  ${String(code).padEnd(4)} ${meaning}`);
  withExamples(program, [
    ['ctx context', 'where the tokens of the newest session went'],
    ['ctx compress session.jsonl --to 25%', 'a quarter of it'],
    ['ctx context --help', 'what a command can do'],
  ]).addHelpText('after', `\nExit codes:\n${codes.join('\n')}`);
  return program;
}

/** From this file, and from the bundle. */
function version(): string {
  const places = ['../package.json', '../../package.json'].map((path) => new URL(path, import.meta.url));
  const manifest = places.find((place) => existsSync(place)) as URL;
  return String(JSON.parse(readFileSync(manifest, 'utf8')).version);
}
