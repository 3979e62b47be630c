import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entriesOf, memoryArchive } from '@ctx/archive';
import { ContextManager } from '@ctx/core';
import { passagesOf } from '@ctx/recall';
import { testPassageSource } from '@ctx/testing';
import { sessionSource } from '../../src/mcp/recall-source.js';

const folder = mkdtempSync(join(tmpdir(), 'ctx-sources-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Drops everything but the newest message. */
const dropOld = {
  name: 'drop-old',
  emits: ['drop'],
  plan: ({ view }: { view: readonly { id: string }[] }) => ({
    edits: [{ type: 'drop', messages: view.slice(0, -1).map(({ id }) => id), reason: 'old' }],
  }),
} as never;

testPassageSource({
  name: 'A manager',
  async open(texts) {
    const config = { contextWindow: 40, minMessagesToKeep: 1 };
    const manager = new ContextManager({ archive: memoryArchive(), config });
    for (const content of texts) manager.append({ role: 'user', content });
    await manager.compress({ strategy: dropOld, targetTokens: 1 }).catch(() => {});
    await manager.archived();
    return manager;
  },
});

testPassageSource({
  name: 'An archive',
  async open(texts) {
    const archive = memoryArchive();
    for (const [index, content] of texts.entries())
      await archive.put(
        entriesOf({ conversation: 'one', number: index + 1, message: { role: 'user', content } }),
      );
    return passagesOf(archive, 'one');
  },
});

testPassageSource({
  name: 'A session file',
  async open(texts) {
    const file = join(folder, 'session.jsonl');
    const lines = texts.map((content, index) =>
      JSON.stringify({
        type: 'user',
        sessionId: 's1',
        uuid: String(index),
        timestamp: '2026-01-01T00:00:00Z',
        message: { id: String(index), role: 'user', content },
      }),
    );
    writeFileSync(file, `${lines.join('\n')}\n`);
    return sessionSource(file);
  },
});
