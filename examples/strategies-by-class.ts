// Compresses one recorded session with each of five strategies, made like classes, and prints what each leaves.
// Run: npm run build && node --import tsx examples/strategies-by-class.ts

import { fileURLToPath, pathToFileURL } from 'node:url';
import { createContextManager } from '@ctx/presets';
import { readSession } from '@ctx/sessions';
import { FileFoldingStrategy } from '@ctx/strategy-file-folding';
import { HybridStrategy } from '@ctx/strategy-hybrid';
import { ImportanceStrategy } from '@ctx/strategy-importance';
import { MiddleRemovalStrategy } from '@ctx/strategy-middle-removal';
import { OldestRemovalStrategy } from '@ctx/strategy-oldest-removal';

const file = fileURLToPath(new URL('sessions/late-check.openai.jsonl', import.meta.url));

export async function main() {
  const { messages } = await readSession(file);
  const middle: MiddleRemovalStrategy = new MiddleRemovalStrategy({ preserveStart: 6, preserveEnd: 6 });
  const oldest: OldestRemovalStrategy = new OldestRemovalStrategy();
  const strategies = [
    middle,
    oldest,
    new HybridStrategy({ middle, oldest }),
    new ImportanceStrategy({ threshold: 60 }),
    new FileFoldingStrategy({ keepNewest: 1 }),
  ];
  const results = [];
  for (const strategy of strategies) {
    const manager = createContextManager({ provider: 'openai', model: 'gpt-5' });
    for (const message of messages) manager.append(message);
    const { record } = await manager.compress({ strategy, targetTokens: 30_000 });
    const { tokensBefore = 0, tokensAfter = 0, messagesAfter = 0 } = record ?? {};
    console.log(
      `${strategy.name}: ${tokensBefore} tokens became ${tokensAfter}, in ${messagesAfter} messages`,
    );
    results.push({ name: strategy.name, tokensBefore, tokensAfter, messagesAfter });
  }
  return results;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
