import { sessionFormats } from '@ctx/sessions';
import { choice } from './choice.js';
import { type AddCommand, withExamples } from './command.js';
import { withCompression } from './compression-options.js';
import { opened, withJson, withSession } from './session-options.js';

/** `ctx compress` */
export const addCompress: AddCommand = (program, run) => {
  const command = program
    .command('compress')
    .description('write a session made smaller, in the format it came in or in any other');
  withJson(withCompression(withSession(command)))
    .addOption(choice('-f, --format <format>', 'the format to write', sessionFormats))
    .option('-o, --out <file>', 'the file to write, instead of the standard output')
    .action(async (path: string | undefined, options) => {
      const { runCompress } = await import('../compress/run.js');
      run.exitCode = await runCompress(run.io, await opened(run, path, options), options);
    });
  withExamples(command, [
    ['ctx compress session.jsonl --to 25% --out small.jsonl', 'a quarter of it'],
    ['ctx compress session.jsonl --strategy importance --to 30k', 'with one strategy alone'],
    ['ctx compress session.jsonl --format openai | jq .messages', 'as a request to an API'],
  ]);
};
