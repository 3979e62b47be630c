import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { bpeCounter, ContextManager } from '@ctx/core';
import { readSession } from '@ctx/sessions';
import { toolResults } from '@ctx/strategy-tool-results';
import { testWithFiles } from '@ctx/testing';

const counter = bpeCounter();
beforeAll(() => counter.load?.());

const folders = ['claude-code', 'pi'].map((agent) => join(__dirname, '../../../../shared/data', agent));
testWithFiles('what tool-results cleared in real sessions, it does not clear again', folders, async () => {
  for (const file of folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))) {
    const read = await readSession(file).catch(() => undefined);
    if (read === undefined) continue;
    const manager = new ContextManager({
      counter,
      now: () => Number.MAX_SAFE_INTEGER,
      config: { contextWindow: 60_000, throttleMs: 0, minMessagesToKeep: 1, enabled: false },
    });
    for (const message of read.messages) manager.append(message);
    const strategy = toolResults({ reads: { keep: 1 }, duplicates: { includeReads: true }, superseded: {} });
    const limits = { strategy, targetTokens: 0 };
    await manager.compress(limits).catch(() => undefined);
    const cleared = manager.history.length;
    await manager.compress(limits).catch(() => undefined);
    const again = manager.history.slice(cleared).flatMap(({ stages }) => stages);
    expect(again.filter((stage) => stage.strategy === 'tool-results' && stage.edits > 0)).toEqual([]);
  }
});
