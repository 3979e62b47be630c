import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { anthropicCodec } from '@ctx/codec-anthropic';
import { openaiCodec } from '@ctx/codec-openai';
import { bpeCounter, createContextManager } from '@ctx/core';
import { readSessions } from '@ctx/sessions';
import { excerptSections } from '../src/excerpt-text.js';
import { relevance } from '../src/index.js';
import { excerptIn, expectFrom, sourcesIn } from './compressing.js';

const data = join(__dirname, '../../../../shared/data');
const files = existsSync(data)
  ? readdirSync(data, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
  : [];
const missing = files.length === 0 ? ' (none are here, so nothing was measured)' : '';

test(`real sessions come down to a half, a quarter and an eighth, valid and word for word${missing}`, async () => {
  const counter = bpeCounter();
  for (const file of files) {
    for await (const { messages } of readSessions(join(data, file), { lenient: true })) {
      const manager = createContextManager({
        counter,
        config: { contextWindow: 10_000_000, minMessagesToKeep: 1, leadingUser: true, throttleMs: 0 },
      });
      for (const message of messages) manager.append(message);
      await manager.simulate({ targetTokens: 10_000_000 });
      const whole = manager.stats().countedTokens;
      const fixed = messages
        .filter(
          ({ role }, index) =>
            role === 'system' || index === messages.findLastIndex((one) => one.role === 'user'),
        )
        .reduce((sum, { content }) => sum + counter.count(JSON.stringify(content)), 0);
      // The transcript also has the results that it closes calls with.
      const sources = sourcesIn(manager.transcript.map(({ message }) => message));
      for (const part of [2, 4, 8]) {
        const targetTokens = Math.floor(whole / part);
        if (fixed + 200 > targetTokens) continue;
        const { record } = await manager.compress({ strategy: relevance(), targetTokens });
        expect(manager.stats().countedTokens).toBeLessThanOrEqual(targetTokens);
        const view = manager.view();
        expect(openaiCodec.validate(openaiCodec.fromMessages(view))).toEqual([]);
        expect(anthropicCodec.validate(anthropicCodec.fromMessages(view))).toEqual([]);
        expectFrom(excerptSections(excerptIn(view)), sources);
        if (record !== undefined) manager.undo(record.id);
      }
    }
  }
}, 120_000);
