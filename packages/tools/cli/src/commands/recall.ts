import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Io } from '../terminal/io.js';
import { tokensFrom } from '../values.js';
import { type AddCommand, withExamples } from './command.js';
import { opened, withJson, withSession } from './session-options.js';

/** `ctx recall` */
export const addRecall: AddCommand = (program, run) => {
  const command = program
    .command('recall')
    .description('find passages of a session, word for word, by what they say or by their handle');
  withJson(withSession(command))
    .argument('[query...]', 'words to look for, or a handle such as #m41 or #m41:120-180')
    .option('--max-tokens <tokens>', 'what all passages may have together', tokensFrom, 1_000)
    .action(async (path: string | undefined, query: string[], options) => {
      const { runRecall } = await import('../recall/run.js');
      run.exitCode = await runRecall(
        run.io,
        await opened(run, isSession(run.io, path) ? path : undefined, options),
        [...(path === undefined || isSession(run.io, path) ? [] : [path]), ...query].join(' '),
        options,
      );
    });
  withExamples(command, [
    ['ctx recall session.jsonl retry limit', 'passages about it, the best first'],
    ['ctx recall retry limit', 'in the newest session, if there is no file "retry"'],
    ['ctx recall session.jsonl "#m41:120-180"', 'these lines of message 41'],
  ]);
};

/** False for the first word of a query, before which no session was given. */
function isSession({ cwd }: Io, path: string | undefined): boolean {
  return path !== undefined && (/[\\/]|\.jsonl?$/.test(path) || existsSync(resolve(cwd, path)));
}
