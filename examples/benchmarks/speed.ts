// Measures how fast ctx is and how its time grows. This is the command `ctx bench --speed` on the sessions of this repository.
// Start: npm run bench:speed [-- --record]
// --record keeps the figures in results/, from which docs/speed.md is made.

import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { processIo, run } from '@ctx/cli';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const sessions = ['late-check.openai.jsonl', 'hand-over.openai.jsonl', 'did-you-mean.anthropic.jsonl'].map(
  (name) => here(`../sessions/${name}`),
);
const args = process.argv.slice(2);
const isRecorded = args.includes('--record');
if (isRecorded) mkdirSync(here('results/'), { recursive: true });
const files = ['--summary', here('results/speed.json')];
const others = args.filter((arg) => arg !== '--record');
process.exitCode = await run(
  ['bench', '--speed', ...(isRecorded ? files : []), ...others, '--', ...sessions],
  processIo(new AbortController().signal),
);
