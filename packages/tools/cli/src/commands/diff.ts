import { positionFrom } from '../values.js';
import { type AddCommand, withExamples } from './command.js';
import { withCompression } from './compression-options.js';
import { opened, withJson, withSession } from './session-options.js';

/** `ctx diff` */
export const addDiff: AddCommand = (program, run) => {
  const command = program
    .command('diff')
    .description('show what a compression takes from a session, message by message');
  withJson(withCompression(withSession(command)))
    .option('-l, --lines', 'show it line by line')
    .option('-m, --message <number>', 'show one message only, line by line', positionFrom)
    .action(async (path: string | undefined, options) => {
      const { runDiff } = await import('../diff/run.js');
      run.exitCode = await runDiff(run.io, await opened(run, path, options), options);
    });
  withExamples(command, [
    ['ctx diff session.jsonl --to 25%', 'what is removed if a quarter stays'],
    ['ctx diff session.jsonl --strategy tool-results --lines', 'each line that one strategy removes'],
    ['ctx diff session.jsonl --message 41', 'what becomes of one message'],
  ]);
};
