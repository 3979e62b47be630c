import { sessionFormats } from '@ctx/sessions';
import type { Command } from 'commander';
import type { OpenOptions } from '../session/open.js';
import { choice } from './choice.js';
import type { Run } from './command.js';

/** The options of every command that reads one session. */
export function withSession(command: Command): Command {
  return command
    .argument(
      '[session]',
      'a session file, or a folder with some; without it the newest session on this machine',
    )
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

/** The session that a command works on, as these options say. */
export async function opened({ io }: Run, path: string | undefined, options: Record<string, unknown>) {
  const { openSession } = await import('../session/open.js');
  const { fromFormat: format, ...others } = options as OpenOptions & { fromFormat?: OpenOptions['format'] };
  return openSession(io, path, { ...others, format });
}
