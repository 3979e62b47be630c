// Brings a recorded session to a quarter with the relevance strategy, and prints the lines that it chose first, with the reason of each.
// Run: npm run build && node --import tsx examples/explain-an-excerpt.ts

import { fileURLToPath, pathToFileURL } from 'node:url';
import { createContextManager } from '@ctx/presets';
import { readSession } from '@ctx/sessions';
import { type KeptLine, relevance } from '@ctx/strategy-relevance';

const file = fileURLToPath(new URL('sessions/late-check.openai.jsonl', import.meta.url));
/** Lines to print: enough to see each kind of reason once. */
const shown = 8;

export async function main() {
  const { messages } = await readSession(file);
  const manager = createContextManager({
    provider: 'openai',
    model: 'gpt-5',
    strategies: [relevance({ explain: true })],
  });
  for (const message of messages) manager.append(message);
  const { record } = await manager.compress({ targetTokens: 10_000 });

  const notes = record?.stages[0]?.notes as { kept: number; of: number; lines: readonly KeptLine[] };
  console.log(
    `${record?.tokensBefore} tokens → ${record?.tokensAfter}; ${notes.kept} of ${notes.of} lines were kept.`,
  );
  for (const { heading, text, reason } of notes.lines.slice(0, shown))
    console.log(`\n${heading}\n  ${text}\n  because of ${reason}`);
  return { record, notes };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
