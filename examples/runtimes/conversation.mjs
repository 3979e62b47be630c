import { anthropicCodec } from '@ctx/codec-anthropic';
import { openaiCodec } from '@ctx/codec-openai';
import { CompressionLevel } from '@ctx/core';
import { createContextManager } from '@ctx/presets';

const turns = Array.from({ length: 40 }, (_, turn) => [
  { role: 'user', content: `Question ${turn}: what does module ${turn} do?` },
  {
    role: 'assistant',
    content: `Module ${turn} reads order ${turn}. ${'It checks every field again. '.repeat(40)}`,
  },
]).flat();

async function compressed(provider, model, native, codec) {
  const manager = createContextManager({ provider, model, config: { contextWindow: 9_000 } });
  for (const message of codec.toMessages(native)) manager.append(message);
  const { status, record } = await manager.checkAndCompress({ beforeSend: true });
  const sent = codec.fromMessages(manager.view());
  if (
    status !== 'compressed' ||
    manager.level >= CompressionLevel.EMERGENCY ||
    codec.validate(sent).length > 0
  ) {
    throw new Error(`${provider}: the conversation was not compressed: ${status}`);
  }
  return `${provider}: ${record.tokensBefore} tokens → ${record.tokensAfter}, ${manager.view().length} messages are sent`;
}

/** Compresses a small conversation in the form of each provider and says what came of it. Uses nothing that only some runtimes have. */
export async function outcome() {
  const openai = await compressed('openai', 'gpt-5', turns, openaiCodec);
  const anthropic = await compressed('anthropic', 'claude-sonnet-4-5', { messages: turns }, anthropicCodec);
  return `${openai}\n${anthropic}`;
}
