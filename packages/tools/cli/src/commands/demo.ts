import { type AddCommand, withExamples } from './command.js';

/** `ctx demo` */
export const addDemo: AddCommand = (program, run) => {
  const command = program
    .command('demo')
    .description('compress a session with every strategy, and see what is left')
    .argument(
      '[session]',
      'a session file, or a folder with some; without it the newest session on this machine',
    )
    .option('--lenient', 'leave out records that can’t be read, instead of refusing the file')
    .option('--all', 'show every strategy, not only the best')
    .action(async (path: string | undefined, options) => {
      const { runDemo } = await import('../demo/run.js');
      run.exitCode = await runDemo(run.io, path, options);
    });
  withExamples(command, [
    ['ctx demo', 'the newest session on this machine'],
    ['ctx demo sessions/', 'every session below a folder'],
  ]);
};
