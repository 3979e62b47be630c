import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { bpeCounter, createContextManager } from '@ctx/core';
import { readSession } from '@ctx/sessions';
import { toolResults } from '@ctx/strategy-tool-results';

const counter = bpeCounter();
beforeAll(() => counter.load?.());

const folder = join(__dirname, '../../../../shared/data');
const files = existsSync(folder)
  ? ['claude-code', 'pi'].flatMap((agent) =>
      readdirSync(join(folder, agent)).map((name) => join(folder, agent, name)),
    )
  : [];
test(`what tool-results cleared in real sessions, it does not clear again${files.length > 0 ? '' : ' (none are here, so nothing was tried)'}`, async () => {
  for (const file of files) {
    const read = await readSession(file).catch(() => undefined);
    if (read === undefined) continue;
    const manager = createContextManager({
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
}, 120_000);
