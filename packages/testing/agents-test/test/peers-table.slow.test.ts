import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { peersTable } from '@ctx/agents-test';

test('the table in docs/adapters.md is what the agents do', async () => {
  const document = readFileSync(join(__dirname, '../../../../docs/adapters.md'), 'utf8');
  const [, written] = /<!-- peers:start -->\n([\s\S]*)\n<!-- peers:end -->/.exec(document) ?? [];
  // To write it again: node packages/testing/agents-test/dist/main.js
  expect(written).toBe(await peersTable());
});
