// Compresses a session with each strategy to half and to a quarter of its tokens, and prints the result: the command `ctx demo`.
// Start: npm run demo [-- path/to/session.jsonl] [--all]; for a folder, its newest session

import { fileURLToPath } from 'node:url';
import { type Io, processIo, run } from '@ctx/cli';

export const bundled = fileURLToPath(new URL('exam/each-session-once/prefix.json', import.meta.url));

/** Returns the exit code. */
export function main(args: readonly string[], io: Io): Promise<number> {
  const hasPath = args.some((arg) => !arg.startsWith('-'));
  return run(['demo', ...(hasPath ? [] : [bundled]), ...args], io);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  main(process.argv.slice(2), processIo(new AbortController().signal)).then((status) => {
    process.exitCode = status;
  });
