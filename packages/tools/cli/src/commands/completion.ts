import { readdirSync } from 'node:fs';
import tab from '@bomb.sh/tab/commander';
import { type AddCommand, withExamples } from './command.js';

/** Commands whose first argument is a file. */
const takingFiles = ['context', 'compress', 'diff', 'replay', 'bench', 'recall', 'convert', 'demo', 'mcp'];

/** `ctx completion`, and the hidden command that the shell asks. It has to come last, as it completes the commands that are there. */
export const addCompletion: AddCommand = (program, { io }) => {
  const completions = tab(program, { completionCommandName: 'completion' });
  for (const name of takingFiles) {
    const command = completions.commands.get(name);
    const [argument] = program.commands.find((one) => one.name() === name)?.registeredArguments ?? [];
    command?.argument(
      argument?.name() ?? 'session',
      (complete) => {
        for (const path of pathsLike(process.argv.at(-1) ?? '', io.cwd)) complete(path, '');
      },
      argument?.variadic,
    );
  }
  const command = program.commands.find((one) => one.name() === 'completion');
  command?.description('print a script that completes commands, options and files in your shell');
  if (command !== undefined)
    withExamples(command, [
      ['source <(ctx completion zsh)', 'in this shell; put the line into ~/.zshrc for all'],
      ['source <(ctx completion bash)', 'the same for bash and ~/.bashrc'],
      ['ctx completion fish | source', 'the same for fish and config.fish'],
    ]);
};

/** Folders, and files that can be sessions, whose path begins with what was typed. */
function pathsLike(typed: string, cwd: string): string[] {
  const folder = typed.slice(0, typed.lastIndexOf('/') + 1);
  try {
    return readdirSync(folder.startsWith('/') ? folder : `${cwd}/${folder}`, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || /\.jsonl?$/.test(entry.name))
      .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`)
      .filter((path) => path.startsWith(typed));
  } catch {
    return [];
  }
}
