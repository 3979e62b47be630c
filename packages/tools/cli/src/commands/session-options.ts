import { sessionFormats } from '@ctx/sessions';
import type { Command } from 'commander';
import type { OpenOptions } from '../session/open.js';
import { tokensFrom } from '../values.js';
import { choice } from './choice.js';

/** The options of every command that reads one session. */
export function withSession(command: Command): Command {
  return command
    .argument(
      '[session]',
      'a session file, or a folder with some; without it the newest session on this machine',
    )
    .option('--pick', 'choose among the newest sessions on this machine')
    .option('--conversation <number>', 'which conversation of a file that holds several: its number or id')
    .addOption(
      choice(
        '--from-format <format>',
        'the format of the file, if it is not the one that is detected',
        sessionFormats,
      ),
    )
    .option('--strict', 'refuse a file with a record that can’t be read, instead of leaving the record out');
}

/** What these options say to the reader. */
export function openOptions(options: Record<string, unknown>): OpenOptions {
  const { pick, conversation, fromFormat, strict } = options as {
    pick?: boolean;
    conversation?: string;
    fromFormat?: OpenOptions['format'];
    strict?: boolean;
  };
  return { pick, conversation, format: fromFormat, strict };
}

/** The window and the model, if they are not the session's. */
export function withWindow(command: Command): Command {
  return command
    .option('--model <name>', 'the model whose window counts, instead of the session’s')
    .option('--window <tokens>', 'the window: 200000, 200k, 1m; instead of the model’s', tokensFrom);
}

/** Every command can print its result as JSON. */
export function withJson(command: Command): Command {
  return command.option('--json', 'print the result as JSON');
}
