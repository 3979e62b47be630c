#!/usr/bin/env node
import { proxyCommand } from './command.js';

const ended = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
});
process.exitCode = await proxyCommand(process.argv.slice(2), {
  environment: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  isOnScreen: process.stderr.isTTY === true,
  ended,
});
