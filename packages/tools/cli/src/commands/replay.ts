import { namesFrom, tokensFrom } from '../values.js';
import { type AddCommand, withExamples } from './command.js';
import { opened, withSession } from './session-options.js';

/** `ctx replay` */
export const addReplay: AddCommand = (program, run) => {
  const command = program
    .command('replay')
    .description(
      'replay a session under a window with each strategy: tokens, cost, and what was missing when it was used',
    );
  withSession(command)
    .option('--json', 'print the result as JSON')
    .option(
      '--window <tokens>',
      'the limit of a request with system prompt and tools (default: room for half of the messages, at most 64k of them)',
      tokensFrom,
    )
    .option('--only <names>', 'only these, with commas between them', namesFrom)
    .option('--html <file>', 'write a page: the size of each request, and what each compression wrote')
    .action(async (path: string | undefined, options) => {
      const { runReplay } = await import('../replay/run.js');
      run.exitCode = await runReplay(run.io, await opened(run, path, options), options);
    });
  withExamples(command, [
    ['ctx replay session.jsonl', 'all strategies side by side'],
    ['ctx replay session.jsonl --html replay.html', 'and a page to look at'],
    ['ctx replay session.jsonl --window 32k --only relevance,keep-last', 'two of them under 32,000 tokens'],
  ]);
};
