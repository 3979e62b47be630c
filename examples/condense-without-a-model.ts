// Condenses a recorded session without a model: an excerpt of what matters, word for word.
// Run: npm run build && node --import tsx examples/condense-without-a-model.ts

import { fileURLToPath, pathToFileURL } from 'node:url';
import { messageText } from '@ctx/core';
import { createContextManager } from '@ctx/presets';
import { readSession } from '@ctx/sessions';

const file = fileURLToPath(new URL('sessions/did-you-mean.anthropic.jsonl', import.meta.url));

export async function main() {
  const { messages } = await readSession(file);
  const manager = createContextManager({ provider: 'anthropic' });
  for (const message of messages) manager.append(message);
  const { record } = await manager.compress({ strategy: 'condense', targetTokens: 6_000 });
  const summary = manager.view().find((message) => message.summary === true);
  console.log(`${record?.tokensBefore} tokens → ${record?.tokensAfter}`);
  if (summary !== undefined) console.log(`\n${messageText(summary)}`);
  return { record, summary };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
