#!/usr/bin/env node
import process from 'node:process';
import { exitCodes } from './exit-codes.js';
import { run } from './run.js';
import { processIo } from './terminal/process-io.js';

/** Shows the cursor again, lets lines wrap again, and clears a line of progress. */
const cleanLine = '\u001B[?25h\u001B[?7h\r\u001B[2K';

const stop = new AbortController();
process.once('SIGINT', () => {
  stop.abort();
  if (process.stderr.isTTY === true) process.stderr.write(cleanLine);
  process.exit(exitCodes.interrupted);
});
// `ctx … | head` closes the pipe when it has enough.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(exitCodes.done);
  });

process.exitCode = await run(process.argv.slice(2), processIo(stop.signal));
