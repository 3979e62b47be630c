// Folds source files to the names that they define: this package's own files, or those you name.
// Run: npm run build && node --import tsx examples/fold-files.ts [file ...]

import { readdirSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { foldFiles } from '@ctx/strategy-file-folding';

const core = fileURLToPath(new URL('../packages/core/src', import.meta.url));

const sources = () =>
  readdirSync(core, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));

export async function main(paths: readonly string[] = []) {
  const cwd = paths.length > 0 ? process.cwd() : core;
  const folded = await foldFiles(paths.length > 0 ? paths : sources(), { cwd, maxTokens: 1_500 });
  console.log(folded.content);
  console.log(
    `\n${folded.tokensBefore} tokens became ${folded.tokensAfter} of ${folded.filesProcessed} files.`,
  );
  if (folded.filesDropped > 0) console.log(`${folded.filesDropped} more had no room.`);
  for (const { path, reason } of folded.skipped) console.log(`${path} was skipped: ${reason}`);
  return folded;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2));
