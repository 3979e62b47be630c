import { join } from 'node:path';
import { bpeCounter, ContextManager, scoreMessages } from '@ctx/core';
import { readSessions } from '@ctx/sessions';
import { testWithFiles } from '@ctx/testing';
import { importance } from '../src/index.js';

const files = [
  'claude-code/8463c716-a2ea-4c14-9efa-87158ebd9f20',
  'claude-code/ae4a77f8-aedd-4bc1-888f-c94edc91af04',
  'claude-code/agent-a7be2f0',
  'openai-chat/swe-agent',
  'openai-chat/tau-bench-airline',
  'pi/large-session',
].map((name) => join(__dirname, `../../../../../shared/data/${name}.jsonl`));

testWithFiles(
  "of the users' instructions in real sessions over 95 % survive a quarter of the tokens, where they fit",
  files,
  async () => {
    const counter = bpeCounter();
    for (const file of files) {
      let [fitting, surviving] = [0, 0];
      for await (const { messages } of readSessions(file, { lenient: true })) {
        const manager = new ContextManager({
          counter,
          config: { contextWindow: 10_000_000, minMessagesToKeep: 1 },
        });
        for (const message of messages) manager.append(message);
        await manager.simulate({ targetTokens: 10_000_000 });
        const targetTokens = Math.floor(manager.stats().countedTokens / 4);
        await manager.compress({ strategy: importance(), targetTokens });
        const scores = scoreMessages(messages.map((message) => ({ message, tokens: 50 })));
        const important = messages.filter(
          (message, index) =>
            message.role === 'user' && message.summary !== true && (scores[index]?.score ?? 0) >= 70,
        );
        const tokens = important.reduce(
          (sum, message) => sum + counter.count(JSON.stringify(message.content)) + 3,
          0,
        );
        const fixed = messages
          .filter(({ role }) => role === 'system')
          .reduce((sum, message) => sum + counter.count(String(message.content)), 0);
        if (tokens + fixed > targetTokens) continue;
        fitting += important.length;
        surviving += important.filter((message) => manager.view().includes(message)).length;
      }
      if (fitting > 0) expect(surviving / fitting).toBeGreaterThan(0.95);
    }
  },
);
