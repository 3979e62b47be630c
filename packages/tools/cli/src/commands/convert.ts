import { sessionFormats } from '@ctx/sessions';
import { choice } from './choice.js';
import { type AddCommand, withExamples } from './command.js';
import { opened, withSession } from './session-options.js';

/** `ctx convert` */
export const addConvert: AddCommand = (program, run) => {
  const command = program
    .command('convert')
    .description('write a session in the format of another agent or of an API');
  withSession(command)
    .addOption(choice('-f, --format <format>', 'the format to write', sessionFormats).makeOptionMandatory())
    .option('-o, --out <file>', 'the file to write, instead of the standard output')
    .addOption(
      choice(
        '--from <place>',
        'everything that was said, or what the model saw since the agent last compacted',
        ['start', 'last-compaction'],
      ).default('start'),
    )
    .action(async (path: string | undefined, options) => {
      const { runConvert } = await import('../convert/run.js');
      run.exitCode = await runConvert(run.io, await opened(run, path, options), options);
    });
  withExamples(command, [
    ['ctx convert session.jsonl --format openai', 'as the OpenAI API takes it'],
    ['ctx convert rollout.jsonl --format claude-code --out session.jsonl', 'from Codex to Claude Code'],
  ]);
};
