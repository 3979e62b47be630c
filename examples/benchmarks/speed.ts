// Measures how fast ctx is and how its time grows, next to LangChain's trimMessages and the AI SDK's pruneMessages on
// the same messages in the same run. Start: npm run bench:speed [-- --full] [--record]
// --record keeps the figures in results/, from which the README is made.

import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { markdownTable } from '@ctx/bench/markdown-table';
import { figures } from './figures.js';
import { besidePeers } from './speed-beside-peers.js';
import { appendAndCheck, planAndApply, toolResultsOverTenThousand } from './speed-of-compression.js';
import { firstCompressions } from './speed-of-first-compressions.js';
import { startUp } from './speed-of-start.js';
import { folding, sizeChecks, unbrokenText } from './speed-of-texts.js';
import { counter } from './subjects.js';

startUp();
firstCompressions();
await counter.load?.();
await appendAndCheck();
await toolResultsOverTenThousand();
await planAndApply();
await folding();
await sizeChecks();
await unbrokenText();
const peers = await besidePeers();

const figureTable = markdownTable(
  ['what', 'measured', 'goal', 'reached'],
  figures.map(({ what, measured, goal, reached }) => [what, measured, goal, reached ? 'yes' : 'no']),
);
const peerTable = markdownTable(
  [
    'messages',
    'ctx middle-removal',
    'ctx oldest-removal',
    'ctx, counting included',
    'AI SDK pruneMessages',
    'LangChain ClearToolUsesEdit, length / 4',
    'LangChain trimMessages, length / 4',
    'LangChain trimMessages, gpt-tokenizer, counted before',
    'LangChain trimMessages, gpt-tokenizer, each text counted once',
    'LangChain trimMessages, gpt-tokenizer, counted each time it asks',
  ],
  peers,
);
const title = `Node ${process.versions.node}, ${cpus().length} cores, ${new Date().toISOString().slice(0, 10)}`;
const report = `${figureTable}\n\nMedian ms to bring a conversation to half of its tokens (pruneMessages has no budget: it removes tool calls before the last ten messages):\n\n${peerTable}\n\n${title}\n`;
if (process.argv.includes('--record')) {
  const folder = fileURLToPath(new URL('results/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}speed.md`, report);
  writeFileSync(`${folder}speed.json`, `${JSON.stringify({ title, figures, peers }, undefined, 2)}\n`);
}
console.log(`\n${report}`);
