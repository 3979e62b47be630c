import { readFileSync, writeFileSync } from 'node:fs';
import { contextFetch } from '@ctx/fetch';
import { adaptedAgents, agents, newerAgents, setUpOptions, setUpServer } from './agents.js';
import { measuredRun } from './measured-run.js';
import { setUpRow } from './set-ups.js';

/**
 * Usage: node packages/testing/agents-test/dist/main.js; writes the table of set-ups into docs/adapters.md, and prints it.
 */
const document = new URL('../../../../docs/adapters.md', import.meta.url);
const [begin, end] = ['<!-- set-ups:start -->', '<!-- set-ups:end -->'];

const rows: string[] = [];
for (const agent of [...agents, ...newerAgents]) {
  const fetch = contextFetch({ ...setUpOptions, onWarning: () => {} });
  rows.push(setUpRow(await measuredRun(agent, setUpServer, { fetch }), 'contextFetch'));
}
for (const agent of adaptedAgents) rows.push(setUpRow(await measuredRun(agent, setUpServer), agent.adapter));

/** The set-ups of the same packages and adapter. */
const named = new Map<string, string[]>();
for (const row of rows) {
  const [, start = '', name = ''] = /^(.*\| )([^|]*) \|$/.exec(row) ?? [];
  named.set(start, [...(named.get(start) ?? []), name]);
}
const table = ['| packages | adapter | set-ups |', '|---|---|---|'];
for (const [start, names] of named) table.push(`${start}${names.join('; ')} |`);

const text = readFileSync(document, 'utf8');
const before = text.slice(0, text.indexOf(begin) + begin.length);
writeFileSync(document, `${before}\n${table.join('\n')}\n${text.slice(text.indexOf(end))}`);
process.stdout.write(`${table.join('\n')}\n`);
