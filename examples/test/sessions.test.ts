import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type AnthropicConversation, anthropicCodec } from '@ctx/codec-anthropic';
import { type ChatMessage, openaiCodec } from '@ctx/codec-openai';
import { bpeCounter, MessageCounter, toolCallsOf } from '@ctx/core';
import { createContextManager } from '@ctx/presets';
import { readSession } from '@ctx/sessions';

const folder = join(__dirname, '../sessions');
const names = readdirSync(folder).filter((name) => /^(late-check|did-you-mean|hand-over)\./.test(name));
const text = (name: string) => readFileSync(join(folder, name), 'utf8');

function violationsOf(name: string) {
  const lines = text(name).trimEnd().split('\n');
  const records: unknown[] = lines.map((line) => JSON.parse(line));
  const [first] = records as [{ messages?: ChatMessage[] }];
  if (name.includes('.anthropic.')) return anthropicCodec.validate(first as AnthropicConversation);
  return openaiCodec.validate(first.messages ?? (records as ChatMessage[]));
}

test('a compressed snapshot is smaller than the session that it keeps', async () => {
  const { messages } = await readSession(join(folder, 'late-check.openai.jsonl'));
  const manager = createContextManager({ model: 'gpt-5', config: { contextWindow: 8_000 } });
  for (const message of messages) {
    manager.append(message);
    await manager.checkAndCompress();
  }
  const json = JSON.stringify(manager.snapshot());
  expect(manager.stats().compressions).toBeGreaterThan(5);
  expect(gzipSync(json).length).toBeLessThan(0.6 * text('late-check.openai.jsonl').length);
  expect(gzipSync(json).length).toBeLessThan(json.length / 5);
});

test('there are three sessions', () => expect(names).toHaveLength(3));

describe.each(names)('%s', (name) => {
  test('is a valid conversation', () => expect(violationsOf(name)).toEqual([]));

  test('says nothing of the machine it was recorded on', () => {
    expect(text(name)).not.toMatch(/\/(tmp|home|root|Users|work|private)\//);
    expect(text(name)).not.toMatch(/https?:|localhost|\(\d+ ms\)|Time: /);
  });

  test('has what the README says of it', async () => {
    const { id, format, messages, skipped } = await readSession(join(folder, name));
    expect(name).toContain(`${id}.`.replace(`.${format}`, ''));
    expect(skipped).toEqual([]);

    const counter = new MessageCounter(bpeCounter(), { message: 3, conversation: 3 });
    await counter.load();
    const tokens = messages.reduce((sum, message) => sum + counter.message(message).tokens, 0);
    const calls = messages.flatMap(toolCallsOf).length;
    expect(text('README.md')).toContain(`| \`${name}\` | ${messages.length} | ${calls} | ${tokens} |`);
  });
});
