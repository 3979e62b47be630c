import { createContextManager } from '@ctx/presets';
import { readSession } from '@ctx/sessions';

const { messages } = await readSession('examples/sessions/late-check.openai.jsonl');
const manager = createContextManager({
  provider: 'openai',
  model: 'gpt-5',
  config: { contextWindow: 40_000 },
});

for (const message of messages) {
  manager.append(message);
  const { record } = await manager.checkAndCompress({ beforeSend: true });
  if (record) console.log(`${record.strategy}: ${record.tokensBefore} tokens → ${record.tokensAfter}`);
}
const { messages: sent, transcriptMessages, utilization } = manager.stats();
console.log(
  `${sent} of ${transcriptMessages} messages are sent, ${Math.round(100 * utilization)} % of the window`,
);
