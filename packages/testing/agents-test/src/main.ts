import { readFileSync, writeFileSync } from 'node:fs';
import { peersTable } from './peers-table.js';

/** Usage: node packages/testing/agents-test/dist/main.js; writes the table of peers into docs/adapters.md, and prints it. */
const document = new URL('../../../../docs/adapters.md', import.meta.url);
const [start, end] = ['<!-- peers:start -->', '<!-- peers:end -->'];
const text = readFileSync(document, 'utf8');
const table = await peersTable();
const before = text.slice(0, text.indexOf(start) + start.length);
writeFileSync(document, `${before}\n${table}\n${text.slice(text.indexOf(end))}`);
process.stdout.write(`${table}\n`);
