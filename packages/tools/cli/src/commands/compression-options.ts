import type { Command } from 'commander';
import { strategyNamesKnown } from '../compress/strategy-names.js';
import { positionFrom, targetFrom, tokensFrom } from '../values.js';
import { choice } from './choice.js';

/** What to compress, how, and how far. */
export function withCompression(command: Command): Command {
  return command
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
    );
}
