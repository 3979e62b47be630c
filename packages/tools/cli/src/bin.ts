#!/usr/bin/env node
import process from 'node:process';
import { exitCodes } from './exit-codes.js';
import { run } from './run.js';
import { processIo } from './terminal/io.js';

/** Clears a line of progress. */
const cleanLine = '\r\u001B[2K';

const args = process.argv.slice(2);
/** They end by themselves when they are told to: connections are closed, and an agent that was started ends first. */
const servers = ['mcp', 'proxy'];
const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'])
  process.once(signal, () => {
    stop.abort();
    if (servers.includes(args[0] ?? '')) return;
    if (process.stderr.isTTY === true) process.stderr.write(cleanLine);
    process.exit(exitCodes.interrupted);
  });
// `ctx … | head` closes the pipe when it has enough.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(exitCodes.done);
  });

process.exitCode = await run(args, processIo(stop.signal));
