#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { CtxError } from '@ctx/core';
import { serveRecall } from './mcp.js';
import { opened } from './opened.js';

const usage = `Usage: ctx-mcp [session file | sqlite:file] [--conversation id] [--max-tokens n]

Serves what an agent said and read, over MCP on standard input and output: one tool, recall.
A session file may be of any agent that ctx reads, and may grow meanwhile. Without one, each question is about the session that is the newest
then, best of an agent in this folder: so it is registered once.
  --conversation  which conversation of a store; its id is the one given to the manager (default: conversation)
  --max-tokens    tokens of an answer (default: 2000)
`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      conversation: { type: 'string' },
      'max-tokens': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const [from, ...others] = positionals;
  if (values.help) return void process.stderr.write(usage);
  if (others.length > 0) return fail(usage);
  const tokens = values['max-tokens'];
  const { source, close } = await opened(from, values.conversation);
  const server = serveRecall(source, {
    ...(tokens === undefined ? {} : { maxTokens: Number(tokens) }),
    onError: (error) => process.stderr.write(`ctx-mcp: ${textOf(error)}\n`),
  });
  await server.closed;
  await close();
}

function fail(text: string): void {
  process.stderr.write(text);
  process.exitCode = 1;
}

/** In one line, without what a terminal could take for a command. */
const textOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).replace(/[\p{C}\s]+/gu, ' ');

main().catch((error: unknown) => {
  // Only our own errors say what to do; of others the place matters.
  fail(
    `ctx-mcp: ${CtxError.isInstance(error) || !(error instanceof Error) ? textOf(error) : error.message || error.stack}\n`,
  );
});
