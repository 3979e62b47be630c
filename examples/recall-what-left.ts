// A model recalls what left its view: a session is compressed to a quarter, then asked for what it no longer shows.
// Run: npm run build && node --import tsx examples/recall-what-left.ts

import { fileURLToPath, pathToFileURL } from 'node:url';
import { entriesOf, memoryArchive } from '@ctx/archive';
import { messageText } from '@ctx/core';
import { createContextManager } from '@ctx/presets';
import { passagesOf, recallTool } from '@ctx/recall';
import { readSession } from '@ctx/sessions';

const file = fileURLToPath(new URL('sessions/late-check.openai.jsonl', import.meta.url));

export async function main() {
  const { messages } = await readSession(file);
  const manager = createContextManager({ model: 'gpt-5' });
  for (const message of messages) manager.append(message);
  const { currentTokens } = manager.stats();
  await manager.compress({ targetTokens: Math.floor(currentTokens / 4) });

  const archive = memoryArchive();
  const shown = new Set(manager.view());
  for (const [index, { message }] of manager.transcript.entries())
    if (!shown.has(message))
      await archive.put(entriesOf({ conversation: 'late-check', number: index + 1, message }));

  const recall = recallTool(passagesOf(archive, 'late-check'), { maxTokens: 600 });
  // A line that somebody saw, and the view no longer has.
  const seen = manager.view().map(messageText).join('\n');
  const lost = messages.flatMap((message) => messageText(message).split('\n')).find(isLost) ?? '';
  function isLost(line: string) {
    return /\w{8,}/.test(line) && line.length > 40 && !seen.includes(line);
  }
  const found = await recall.run({ query: lost });
  console.log(`The view lacks: ${lost}\n\n${found}\n`);

  const nothing = await recall.run({ query: 'zeppelin' });
  console.log(`${nothing}\n`);
  return { lost, found, nothing };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
