// Shrinks a recorded session in stages that remove no message, and prints what each stage did and what a file read looks like afterwards.
// Run: npm run build && node --import tsx examples/shrink-in-stages.ts

import { fileURLToPath, pathToFileURL } from 'node:url';
import { messageText } from '@ctx/core';
import { createContextManager } from '@ctx/presets';
import { readSession } from '@ctx/sessions';

const file = fileURLToPath(new URL('sessions/late-check.openai.jsonl', import.meta.url));

export async function main() {
  const { messages } = await readSession(file);
  const manager = createContextManager({
    provider: 'openai',
    model: 'gpt-5',
    config: { pipeline: ['tool-results', 'file-folding', 'relevance'] },
  });
  for (const message of messages) manager.append(message);
  const { record } = await manager.compress({ targetTokens: 26_000 });

  console.log(`${record?.tokensBefore} tokens`);
  for (const { strategy, edits, tokensAfter } of record?.stages ?? []) {
    console.log(`${strategy}: ${edits} edits, ${tokensAfter} tokens left`);
  }
  const folded = manager.view().find((message) => messageText(message).startsWith('[Folded'));
  if (folded !== undefined) console.log(`\n${messageText(folded)}`);
  return { record, folded, kept: manager.view().length };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
