// Writes a strategy twice: as an object, used at once and by its name, and as a class with options.
// Run: npm run build && node --import tsx examples/write-a-strategy.ts

import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  type CompressionStrategy,
  compressMessages,
  createContainer,
  defineStrategy,
  inject,
  injectable,
  optionsToken,
  type Plan,
  type PlanContext,
  registerStrategy,
  toolCallsOf,
} from '@ctx/core';
import { readSession } from '@ctx/sessions';
import { z } from 'zod';

const file = fileURLToPath(new URL('sessions/late-check.openai.jsonl', import.meta.url));

/** Replaces all but the newest result of each tool by a line. */
const newestResults = defineStrategy({
  name: 'newest-results',
  emits: ['replace'],
  plan({ view, tokensOf }) {
    const seen = new Set<string>();
    const edits = view.toReversed().flatMap(({ id, message, tokens, pinned }) => {
      if (message.role !== 'tool' || pinned) return [];
      return message.content.flatMap(({ toolName }, part) => {
        const text = `[an older result of ${toolName}]`;
        const isNewest = !seen.has(toolName);
        seen.add(toolName);
        if (isNewest || tokens <= 2 * tokensOf(text)) return [];
        return [{ type: 'replace' as const, message: id, part, text, reason: 'not the newest of its tool' }];
      });
    });
    return { edits };
  },
});

const optionsSchema = z.strictObject({ maxTokens: z.int().positive().default(40) });

/**
 * Drops what the assistant says in passing. tsx and esbuild write no types of constructor parameters into the code, so
 * each parameter names what it wants with `@inject`.
 */
@injectable()
class ChatterStrategy implements CompressionStrategy {
  static readonly strategyName = 'chatter';
  static readonly optionsSchema = optionsSchema;
  readonly name = ChatterStrategy.strategyName;
  readonly emits = ['drop'];

  constructor(@inject(optionsToken('chatter')) readonly options: z.infer<typeof optionsSchema>) {}

  plan({ view }: PlanContext): Plan {
    const chatter = view.filter(({ message, tokens, pinned }) => {
      const isTalk = message.role === 'assistant' && toolCallsOf(message).length === 0;
      return isTalk && !pinned && tokens < this.options.maxTokens;
    });
    return { edits: chatter.map(({ id }) => ({ type: 'drop', messages: [id], reason: 'said in passing' })) };
  }
}

export async function main() {
  const { messages } = await readSession(file);
  const atOnce = await compressMessages(messages, { targetTokens: 15_000, strategy: newestResults });

  const container = createContainer();
  registerStrategy(container, newestResults);
  registerStrategy(container, ChatterStrategy);
  const config = { pipeline: ['newest-results', 'chatter'], options: { chatter: { maxTokens: 80 } } };
  const byName = await compressMessages(messages, { targetTokens: 1000, config, container });

  for (const { status, record } of [atOnce, byName]) {
    console.log(`${record?.strategy}: ${record?.tokensBefore} → ${record?.tokensAfter} tokens, ${status}`);
  }
  return { messages, atOnce, byName };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
