import { positionFrom, tokensFrom } from '../values.js';
import { type AddCommand, withExamples } from './command.js';
import { opened, withSession } from './session-options.js';

/** `ctx context` */
export const addContext: AddCommand = (program, run) => {
  const command = program
    .command('context')
    .description('show what fills the context window of a session, and what could go');
  withSession(command)
    .option('--model <name>', 'the model whose window counts, instead of the session’s')
    .option('--window <tokens>', 'the window: 200000, 200k, 1m; instead of the model’s', tokensFrom)
    .option('--json', 'print the result as JSON')
    .option(
      '--at <message>',
      'look at the session as it was after this message, counted from 1',
      positionFrom,
    )
    .option('--quick', 'leave out what could go, which takes most of the time')
    .action(async (path: string | undefined, options) => {
      const { runContext } = await import('../context/run.js');
      run.exitCode = await runContext(run.io, await opened(run, path, options), options);
    });
  withExamples(command, [
    ['ctx context', 'the newest session on this machine'],
    ['ctx context session.jsonl --at 120', 'as it was after message 120'],
    ['ctx context session.jsonl --json', 'for a program'],
  ]);
};
