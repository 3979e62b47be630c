import { existsSync, readFileSync } from 'node:fs';
import { Command } from 'commander';
import { addBench } from './commands/bench.js';
import { type AddCommand, type Run, withExamples } from './commands/command.js';
import { addCompletion } from './commands/completion.js';
import { addCompress } from './commands/compress.js';
import { addContext } from './commands/context.js';
import { addConvert } from './commands/convert.js';
import { addDemo } from './commands/demo.js';
import { addMcp } from './commands/mcp.js';
import { addProxy } from './commands/proxy.js';
import { addRecall } from './commands/recall.js';
import { addReplay } from './commands/replay.js';
import { exitCodeTexts } from './exit-codes.js';

/** In the order of the help. */
const commands: readonly AddCommand[] = [
  addContext,
  addCompress,
  addReplay,
  addBench,
  addRecall,
  addConvert,
  addDemo,
  addMcp,
  addProxy,
  addCompletion,
];

/** The command line: every command with its options and its help. Nothing is read or written before it is parsed. */
export function programFor(run: Run): Command {
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
    ['ctx compress session.jsonl --to 25%', 'a quarter of it, in the format it came in'],
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
