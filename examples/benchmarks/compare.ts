// Measures whether a compressed conversation still holds what the agent needs next: every strategy, every pipeline and the peers, over
// every session found. This is the command `ctx bench` on the sessions of this repository.
// Start: npm run bench [-- path ...] [--only name,name] [--static | --replays | --loop | --cycles] [--half tune|report] [--html report.html] [--json cuts.json] [--record]
// A path leads to sessions of agents, or to chats with questions in the form of LoCoMo or QMSum. Without one: examples/sessions,
// ../shared/data if it exists, and made chats.
// --static leaves out what takes long and prints every figure by source, to try things; --half keeps every other session:
// npm run bench -- --static --half tune --only 'default pipeline'
// --replays, --loop and --cycles measure one thing alone: misses, edits and first looks; scripted agents in small windows; a hundred
// compressions of one conversation. Without a path and without them, everything is measured.
// --record keeps the tables in results/, from which the README and docs/results.md are made; it wants every candidate on these sessions.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { exitCodes, type Io, processIo, run } from '@ctx/cli';
import { shownExcerpt } from './shown-excerpt.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const defaults = [here('../sessions'), here('../../../shared/data')].filter(existsSync);
/** Options whose value stands in the next argument. */
const withValue = ['--only', '--half', '--html', '--json', '--markdown', '--summary'];

/** Options that leave out what takes long. */
const parts = /^--(?:static|half|replays|loop|cycles)\b/;

/** Returns the exit code. */
export async function main(args: readonly string[], io: Io): Promise<number> {
  const paths = args.filter((arg, at) => !arg.startsWith('-') && !withValue.includes(args[at - 1] ?? ''));
  const others = args.filter((arg) => arg !== '--record');
  const isPart = others.some((arg) => parts.test(arg));
  const whole = isPart ? [] : ['--made-chats', '--more'];
  const given = paths.length > 0 ? others : [...others, ...whole, '--', ...defaults];
  if (!args.includes('--record')) return run(['bench', ...given], io);
  if (paths.length > 0 || isPart || others.some((arg) => arg.startsWith('--only'))) {
    io.err(
      'What is recorded is of every candidate on the default sessions: leave --record, or the paths, --only, --static, --half, --replays, --loop and --cycles.\n',
    );
    return exitCodes.usage;
  }
  mkdirSync(here('results/'), { recursive: true });
  const files = ['--markdown', here('results/compare.md'), '--summary', here('results/compare.json')];
  const status = await run(['bench', ...files, ...given], io);
  if (status === exitCodes.done) writeFileSync(here('results/excerpt.md'), `${await shownExcerpt()}\n`);
  return status;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  main(process.argv.slice(2), processIo(new AbortController().signal)).then((status) => {
    process.exitCode = status;
  });
