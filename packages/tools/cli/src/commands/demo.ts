import { type AddCommand, withExamples } from './command.js';
import { opened, withSession } from './session-options.js';

/** `ctx demo` */
export const addDemo: AddCommand = (program, run) => {
  const command = program
    .command('demo')
    .description('compress a session with every strategy, and see what is left');
  withSession(command)
    .option('--all', 'show every strategy, not only the best')
    .action(async (path: string | undefined, options) => {
      const { runDemo } = await import('../demo/run.js');
      run.exitCode = await runDemo(run.io, await opened(run, path, options), options);
    });
  withExamples(command, [
    ['ctx demo', 'the newest session on this machine'],
    ['ctx demo session.jsonl --all', 'every strategy'],
  ]);
};
