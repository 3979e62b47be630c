// Keeps a recorded session in a window that is too small for it, and finds what left.
// Run: npm run build && node --import tsx examples/archive-and-find.ts

import { fileURLToPath, pathToFileURL } from 'node:url';
import { memoryArchive } from '@ctx/archive';
import { createContextManager } from '@ctx/presets';
import { readSession } from '@ctx/sessions';

const file = fileURLToPath(new URL('sessions/did-you-mean.anthropic.jsonl', import.meta.url));

export async function main() {
  const manager = createContextManager({
    model: 'claude-sonnet-4-5',
    archive: memoryArchive({ redact: (text) => text.replace(/sk-\w{20,}/g, '[secret]') }),
    conversation: 'did-you-mean',
    config: { contextWindow: 14_000, marker: true },
  });
  const { messages } = await readSession(file);
  for (const message of messages) {
    manager.append(message);
    await manager.checkAndCompress({ beforeSend: true });
  }
  console.log(`${messages.length} messages were said, ${manager.view().length} are sent.`);

  const found = await manager.find('edit distance of two names', { maxTokens: 400 });
  for (const { ref, heading, tokens } of found) console.log(`${ref.padEnd(12)} ${tokens} tokens, ${heading}`);
  const [best] = found;
  const whole = best && (await manager.read(`#m${best.message}`));
  const where = best && (await manager.explain(`#m${best.message}`));
  console.log(where?.text);
  console.log(`Everything that left is archived: ${await manager.archived()}.`);
  return { manager, found, whole, where };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
