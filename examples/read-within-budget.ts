// Reads files for an agent if they fit: each alone, all together, and into the rest of the context.
// Run: npm run build && node --import tsx examples/read-within-budget.ts [file ...]

import { fileURLToPath, pathToFileURL } from 'node:url';
import { readFiles } from '@ctx/file-reading';
import { createContextManager } from '@ctx/presets';
import { readSession } from '@ctx/sessions';

const root = fileURLToPath(new URL('..', import.meta.url));
const session = fileURLToPath(new URL('sessions/late-check.openai.jsonl', import.meta.url));
const files = ['CONTRIBUTING.md', 'packages/core/src/budget/trigger.ts', 'pnpm-lock.yaml', '../secrets.txt'];

export async function main(paths: readonly string[] = []) {
  const manager = createContextManager({ provider: 'openai', config: { contextWindow: 64_000 } });
  for (const message of (await readSession(session)).messages) manager.append(message);
  const { usagePercent, band, remainingTokens } = manager.budget();
  console.log(`${usagePercent.toFixed(1)} % used (${band}), ${remainingTokens} tokens left`);

  const report = await readFiles(paths.length > 0 ? paths : files, { manager, root });
  for (const file of report.files) {
    const outcome = file.status === 'read' ? `${file.tokens} tokens` : file.error.split('\n')[0];
    console.log(`${file.path}: ${file.status}, ${outcome}`);
  }
  for (const notice of report.notices) console.log(notice);
  return report;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2));
