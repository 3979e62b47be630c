import { strategyNamesKnown } from '../compress/strategy-names.js';
import { positionFrom, targetFrom, tokensFrom } from '../values.js';
import { choice } from './choice.js';
import { type AddCommand, withExamples } from './command.js';
import { opened, withSession } from './session-options.js';

/** `ctx compress` */
export const addCompress: AddCommand = (program, run) => {
  const command = program
    .command('compress')
    .description(
      'write a session made smaller: one of Claude Code, Codex or the OpenAI API as it came, any other as messages of the AI SDK',
    );
  withSession(command)
    .option('--json', 'print the result as JSON')
    .option(
      '--to <target>',
      'what to get down to, as far as nothing has to stay: 25% of the tokens, or a number as 30000 or 30k (default: 50%)',
      targetFrom,
    )
    .addOption(
      choice(
        '--strategy <name>',
        'one strategy alone, instead of the pipeline of the model',
        strategyNamesKnown,
      ),
    )
    .option('--at <message>', 'the session as it was after this message, counted from 1', positionFrom)
    .option('--model <name>', 'the model whose settings count, instead of the session’s')
    .option(
      '--window <tokens>',
      'the window, which nothing may exceed: 200000, 200k, 1m; instead of the model’s',
      tokensFrom,
    )
    .option('-o, --out <file>', 'the file to write, instead of the standard output')
    .action(async (path: string | undefined, options) => {
      const { runCompress } = await import('../compress/run.js');
      run.exitCode = await runCompress(run.io, await opened(run, path, options), options);
    });
  withExamples(command, [
    ['ctx compress session.jsonl --to 25% --out small.jsonl', 'a quarter of it'],
    ['ctx compress session.jsonl --strategy importance --to 30k', 'with one strategy alone'],
    ['ctx compress session.jsonl --json | jq .messages', 'the messages that are left'],
  ]);
};
