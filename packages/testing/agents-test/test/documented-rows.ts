import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const document = readFileSync(join(__dirname, '../../../../docs/adapters.md'), 'utf8');

/** A row for each set-up, taken from the table of set-ups. To write it again: node packages/testing/agents-test/dist/main.js */
export const documentedRows = (
  /<!-- set-ups:start -->\n([\s\S]*)\n<!-- set-ups:end -->/.exec(document)?.[1] ?? ''
)
  .split('\n')
  .slice(2)
  .flatMap((row) => {
    const [, packages, adapter, names = ''] = /^\| (.*) \| (.*) \| (.*) \|$/.exec(row) ?? [];
    return names.split('; ').map((name) => `| ${packages} | ${adapter} | ${name} |`);
  });
