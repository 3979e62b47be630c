import { join } from 'node:path';
import { anthropicCodec } from '@ctx/codec-anthropic';
import { openaiCodec } from '@ctx/codec-openai';
import { bpeCounter, createContextManager } from '@ctx/core';
import { excerptSections } from '@ctx/excerpt';
import { readSessions } from '@ctx/sessions';
import { testWithFiles } from '@ctx/testing';
import { relevance } from '../../src/index.js';
import { excerptIn, expectFrom, sourcesIn } from '../compressing.js';

const files = [
  'claude-code/8463c716-a2ea-4c14-9efa-87158ebd9f20',
  'claude-code/ae4a77f8-aedd-4bc1-888f-c94edc91af04',
  'claude-code/agent-a7be2f0',
  'openai-chat/swe-agent',
  'openai-chat/tau-bench-airline',
  'pi/large-session',
].map((name) => join(__dirname, `../../../../../shared/data/${name}.jsonl`));

testWithFiles(
  'real sessions shrink to a half, a quarter and an eighth, and stay valid and word for word',
  files,
  async () => {
    const counter = bpeCounter();
    for (const file of files) {
      for await (const { messages } of readSessions(file, { lenient: true })) {
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
        // The transcript also has the results with which it closes open calls.
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
  },
);
