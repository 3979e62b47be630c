// Writes two strategies: one without options as an object, used at once and by its name, and one with options.
// Run: npm run build && node --import tsx examples/write-a-strategy.ts

import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  compressMessages,
  createContainer,
  defineStrategy,
  dropsInOrder,
  exchangesOf,
  partText,
  registerStrategy,
  strategyFactory,
} from '@ctx/core';
import { readSession } from '@ctx/sessions';
import { z } from 'zod';

const file = fileURLToPath(new URL('sessions/late-check.openai.jsonl', import.meta.url));

/** Replaces all results of each tool except the newest by a line. */
export const newestResults = defineStrategy({
  name: 'newest-results',
  emits: ['replace'],
  plan({ view, tokensOf }) {
    const seen = new Set<string>();
    const edits = view.toReversed().flatMap(({ id, message, pinned }) => {
      if (message.role !== 'tool' || pinned) return [];
      return message.content.flatMap((result, part) => {
        const { toolName } = result;
        const text = `[an older result of ${toolName}]`;
        const isNewest = !seen.has(toolName);
        seen.add(toolName);
        if (isNewest || tokensOf(partText(result) ?? '') <= tokensOf(text)) return [];
        return [{ type: 'replace' as const, message: id, part, text, reason: 'not the newest of its tool' }];
      });
    });
    return { edits };
  },
});

/** Drops the assistant's remarks between its calls, except the newest. */
export const chatter = strategyFactory({
  name: 'chatter',
  emits: ['drop'],
  options: z.strictObject({
    keepNewest: z.int().nonnegative().default(2).describe('number of the newest remarks that stay'),
  }),
  plan(context, { keepNewest }) {
    const remarks = exchangesOf(context.view).filter(
      ({ messages: [first, ...others] }) => first?.message.role === 'assistant' && others.length === 0,
    );
    const older = remarks.slice(0, Math.max(0, remarks.length - keepNewest));
    return { edits: dropsInOrder(older, context, { reason: 'an old remark' }) };
  },
});

export async function main() {
  const { messages } = await readSession(file);
  const atOnce = await compressMessages(messages, { targetTokens: 15_000, strategy: newestResults });

  const container = createContainer();
  registerStrategy(container, newestResults);
  chatter.register(container);
  const config = { pipeline: ['newest-results', 'chatter'], options: { chatter: { keepNewest: 1 } } };
  const byName = await compressMessages(messages, { targetTokens: 1000, config, container });

  for (const { status, record } of [atOnce, byName]) {
    console.log(`${record?.strategy}: ${record?.tokensBefore} → ${record?.tokensAfter} tokens, ${status}`);
  }
  return { messages, atOnce, byName };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
