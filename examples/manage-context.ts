// Checks a conversation that is kept elsewhere, in the terms of Roo Code: summarises it with the files that were read, or truncates it.
// Run: npm run build && node --import tsx examples/manage-context.ts

import { fileURLToPath, pathToFileURL } from 'node:url';
import { manageContext, truncateConversation, willManageContext } from '@ctx/presets';
import { readSession } from '@ctx/sessions';

const session = fileURLToPath(new URL('sessions/late-check.openai.jsonl', import.meta.url));
const cwd = fileURLToPath(new URL('..', import.meta.url));

export async function main() {
  const { messages } = await readSession(session);
  const threshold = { contextWindow: 40_000, maxTokens: 4_096, autoCondenseContextPercent: 75 };
  const options = {
    ...threshold,
    messages,
    cwd,
    filesReadByRoo: ['packages/core/src/budget/trigger.ts'],
    rooIgnoreController: { isIgnored: (path: string) => path.startsWith('dist/') },
    environmentDetails: '# Open files\npackages/core/src/budget/trigger.ts',
  };
  const managed = await manageContext(options);
  console.log(`${managed.status}: ${managed.record?.tokensBefore} to ${managed.totalTokens} tokens`);
  console.log(`due again: ${willManageContext({ ...threshold, totalTokens: managed.totalTokens })}`);
  console.log(managed.summary?.slice(0, 200));

  // A failed call still costs money, and the conversation continues.
  const complete = async () => ({ text: '', stopReason: 'stop' as const, cost: 0.02 });
  const failed = await manageContext({ ...options, chatModel: { name: 'stub', complete } });
  console.log(`${failed.condenseError}\ncost: ${failed.usage?.cost}`);

  const half = truncateConversation(messages);
  console.log(`${messages.length} messages, and ${half.length} without the older half`);
  return { managed, failed, half };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
