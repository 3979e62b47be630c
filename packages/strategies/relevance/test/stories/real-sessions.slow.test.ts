import { join } from 'node:path';
import { anthropicCodec } from '@ctx/codec-anthropic';
import { openaiCodec } from '@ctx/codec-openai';
import { bpeCounter, ContextManager } from '@ctx/core';
import { readSessions } from '@ctx/sessions';
import { planContextOf, testWithFiles } from '@ctx/testing';
import { relevance } from '../../src/index.js';
import { excerptsIn, expectWordForWord, saidIn, trailIn } from '../compressing.js';

const files = [
  'claude-code/8463c716-a2ea-4c14-9efa-87158ebd9f20',
  'claude-code/ae4a77f8-aedd-4bc1-888f-c94edc91af04',
  'claude-code/agent-a7be2f0',
  'openai-chat/swe-agent',
  'openai-chat/tau-bench-airline',
  'pi/large-session',
].map((name) => join(__dirname, `../../../../../../shared/data/${name}.jsonl`));

testWithFiles(
  'real sessions shrink to a half, a quarter and an eighth, and stay valid and word for word',
  files,
  async () => {
    const counter = bpeCounter();
    for (const file of files) {
      for await (const { messages } of readSessions(file, { lenient: true })) {
        const manager = new ContextManager({
          counter,
          config: { contextWindow: 1_000_000, minMessagesToKeep: 1, leadingUser: true, throttleMs: 0 },
        });
        for (const message of messages) manager.append(message);
        await manager.simulate({ targetTokens: 1_000_000 });
        const whole = manager.stats().countedTokens;
        for (const part of [2, 4, 8]) {
          const targetTokens = Math.floor(whole / part);
          const { view: before } = await planContextOf(messages, { counter, targetTokens });
          const staying = before.filter(({ pinned }) => pinned);
          const { record } = await manager.compress({ strategy: relevance(), targetTokens });
          const view = manager.view();
          const excerpts = excerptsIn(view);
          const wanted = excerpts
            .flatMap(saidIn)
            .filter(({ heading }) => heading === 'user' || heading === 'summary');
          const shown = [...excerpts.flatMap(trailIn), ...wanted.map(({ text }) => text)];
          const floor = shown.reduce((sum, text) => sum + counter.count(text) + 8, 60 * (staying.length + 2));
          const least = staying.reduce((sum, { tokens }) => sum + tokens + 8, floor);
          expect(manager.stats().countedTokens).toBeLessThanOrEqual(Math.max(targetTokens, least));
          expect(openaiCodec.validate(openaiCodec.fromMessages(view))).toEqual([]);
          expect(anthropicCodec.validate(anthropicCodec.fromMessages(view))).toEqual([]);
          for (const { message } of staying) expect(view).toContainEqual(message);
          expectWordForWord({ manager, view });
          if (record !== undefined) manager.undo(record.id);
        }
      }
    }
  },
);
