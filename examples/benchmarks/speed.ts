// Measures how fast ctx is and how its time grows, on the sessions of this repository, and prints the figures with their goals.
// Start: npm run bench:speed [-- --record]
// --record keeps the figures in results/, from which docs/speed.md is made.

import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { markdownTable } from '@ctx/bench/measure';
import { measureSpeed } from '@ctx/bench/speed';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const sessions = ['late-check.openai.jsonl', 'hand-over.openai.jsonl', 'did-you-mean.anthropic.jsonl'].map(
  (name) => here(`../sessions/${name}`),
);
const { title, figures } = await measureSpeed({ sessions, onStep: console.error });
if (process.argv.includes('--record')) {
  mkdirSync(here('results/'), { recursive: true });
  writeFileSync(here('results/speed.json'), `${JSON.stringify({ title, figures }, undefined, 2)}\n`);
}
const rows = figures.map(({ what, measured, goal, reached }) => [
  what,
  measured,
  goal,
  reached ? 'yes' : 'no',
]);
console.log(`${markdownTable(['what', 'measured', 'goal', 'reached'], rows)}\n\n${title}`);
