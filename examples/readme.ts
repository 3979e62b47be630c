import { createContextManager } from '@ctx/presets';
import { readSession } from '@ctx/sessions';

const { messages } = await readSession('examples/sessions/late-check.openai.jsonl');
const manager = createContextManager({
  provider: 'openai',
  model: 'gpt-5',
  config: { contextWindow: 16_000 },
});

for (const message of messages) {
  manager.append(message);
  const { record } = await manager.checkAndCompress({ beforeSend: true });
  if (record) console.log(record.strategy, record.chosen, record.tokensBefore, '→', record.tokensAfter);
}
console.log(
  manager.view().length,
  'of',
  manager.transcript.length,
  'messages are sent:',
  manager.stats().level,
);
