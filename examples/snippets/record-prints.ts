// Runs every snippet that shows what it prints, and writes that into its document. Started by `npm run readme`.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runSnippets } from './run.js';
import { root, writeSnippets } from './snippets.js';

const shown = writeSnippets().filter(({ prints }) => prints !== undefined);
for (const [{ place, code, prints }, { problem, printed }] of runSnippets(shown)) {
  if (problem !== undefined) throw new Error(`${place}: ${problem}`);
  if (printed === prints) continue;
  const file = join(root, place.slice(0, place.lastIndexOf(':')));
  const block = (text: string | undefined) => `${code}\`\`\`\n\nprints\n\n\`\`\`\n${text}\n\`\`\``;
  writeFileSync(file, readFileSync(file, 'utf8').split(block(prints)).join(block(printed)));
  console.log(`${place} prints something else now.`);
}
process.exit();
