import { readFileSync, writeFileSync } from 'node:fs';
import { peersTable } from './peers-table.js';
import { setUpsTable } from './set-ups-table.js';

/** Usage: node packages/testing/agents-test/dist/main.js; writes the tables of set-ups and of peers into docs/adapters.md, and prints them. */
const document = new URL('../../../../docs/adapters.md', import.meta.url);

for (const [name, write] of Object.entries({ 'set-ups': setUpsTable, peers: peersTable })) {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const table = await write();
  const text = readFileSync(document, 'utf8');
  const before = text.slice(0, text.indexOf(start) + start.length);
  writeFileSync(document, `${before}\n${table}\n${text.slice(text.indexOf(end))}`);
  process.stdout.write(`${table}\n\n`);
}
