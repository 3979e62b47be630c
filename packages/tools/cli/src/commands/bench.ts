import { namesFrom, tokensFrom } from '../values.js';
import { choice } from './choice.js';
import { type AddCommand, withExamples } from './command.js';

/** `ctx bench` */
export const addBench: AddCommand = (program, run) => {
  const command = program
    .command('bench')
    .description(
      'measure what each strategy, other libraries and simple methods keep of what agents needed next',
    )
    .argument(
      '[sessions...]',
      'session files, and folders with some; without them the newest sessions on this machine',
    )
    .option('--only <names>', 'only these candidates, with commas between them', namesFrom)
    .option('--static', 'leave out the replays, which take long')
    .addOption(choice('--half <half>', 'every other session, to try things on one half', ['tune', 'report']))
    .option('--replays', 'only the replays: misses, edits, first looks and cost')
    .option('--loop', 'only scripted agents that work in small windows; needs no sessions')
    .option('--cycles', 'only a hundred compressions of one long conversation')
    .option('--planted', 'only facts that were said once in made conversations; needs no sessions')
    .option(
      '--more',
      'add scripted agents, many compressions and planted facts to everything else, which takes minutes',
    )
    .option('--exam <folder>', 'what a reader needs: tell by the words of the keys what each view holds')
    .option('--prepare <session>', 'with --exam: cut a session, so that questions can be written about it')
    .option('--prefix <tokens>', 'with --prepare: the most tokens before the cut, 82k by default', tokensFrom)
    .option('--views', 'with --exam: write the views under random names, for readers')
    .option('--answers', 'with --exam: put answers on blind sheets, and print the table of what graders gave')
    .option('--budget <tokens>', 'with --exam: one size of the views, instead of 16k and 8k', tokensFrom)
    .option('--label <text>', 'with --views: follows the names of the candidates, to compare a change')
    .option('--json [file]', 'print every cut as JSON, or write it to a file')
    .option('--markdown <file>', 'write the tables to a file too')
    .option('--summary <file>', 'write the averages as JSON to a file too')
    .action(async (paths: string[], options) => {
      if (options.exam !== undefined) {
        const { runExam } = await import('../bench/exam.js');
        run.exitCode = await runExam(run.io, { ...options, exam: options.exam });
        return;
      }
      const { runBenchmark } = await import('../bench/run.js');
      run.exitCode = await runBenchmark(run.io, { ...options, paths });
    });
  withExamples(command, [
    ['ctx bench sessions/', 'your sessions'],
    ['ctx bench session.jsonl --only relevance,keep-last', 'two candidates on one session'],
    ['ctx bench --static', 'the newest sessions on this machine, in a minute or so'],
  ]);
};
