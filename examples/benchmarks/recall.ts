// Measures what a model finds with recall of what its view misses: the section of `npm run bench` about it, alone.
// Start: npx tsx examples/benchmarks/recall.ts [path ...] [--view 'default pipeline'] [--half tune|report] [--only cuts,replays,chats] [--each]
// Build first. Without a path: examples/sessions, ../shared/data if it is there, and made chats. --each prints every source by itself.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  type Chat,
  candidates,
  type Half,
  loadChats,
  loadSessions,
  madeChats,
  markdownTable,
  measureRecalls,
  recallTables,
  sessionFiles,
} from '@ctx/bench';
import { progress, progressDone } from './progress.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    view: { type: 'string', default: 'default pipeline' },
    half: { type: 'string' },
    only: { type: 'string' },
    each: { type: 'boolean', default: false },
  },
});
const candidate = candidates.find(({ name }) => name === values.view);
if (candidate === undefined) throw new Error(`There is no candidate "${values.view}".`);
const defaults = [here('../sessions'), here('../../../shared/data')].filter((path) => existsSync(path));
const files = (positionals.length > 0 ? positionals : defaults).flatMap(sessionFiles);
const loaded: Chat[] = [];
const others: string[] = [];
for (const file of files) {
  const found = await loadChats(file);
  if (found.length === 0) others.push(file);
  loaded.push(...found);
}
if (positionals.length === 0) loaded.push(...madeChats());
const { sessions } = await loadSessions(others);
const { cuts, replays, chats } = await measureRecalls(candidate, {
  sessions,
  chats: loaded,
  half: values.half as Half | undefined,
  only: values.only?.split(','),
  onStep: progress,
});
progressDone();
const sources = values.each ? [...new Set([...cuts, ...replays].map(({ source }) => source))] : [];
for (const source of [undefined, ...sources]) {
  const isOurs = (one: { readonly source: string }) => source === undefined || one.source === source;
  const tables = recallTables(cuts.filter(isOurs), replays.filter(isOurs), source === undefined ? chats : []);
  for (const { title, columns, rows } of tables)
    console.log(
      `### ${title}${source === undefined ? '' : `: ${source}`}\n\n${markdownTable(columns, rows)}\n`,
    );
}
