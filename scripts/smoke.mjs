/**
 * Compresses a small conversation with the built packages. Runs on every runtime: node scripts/smoke.mjs, bun scripts/smoke.mjs, and
 * bundled for a browser by browser-smoke.mjs.
 */
import { openaiCodec } from '../packages/codec-openai/dist/index.js';
import { createContextManager } from '../packages/presets/dist/index.js';

const turns = Array.from({ length: 40 }, (_, turn) => [
  { role: 'user', content: `Question ${turn}: what does module ${turn} do?` },
  {
    role: 'assistant',
    content: `Module ${turn} reads order ${turn}. ${'It checks every field again. '.repeat(40)}`,
  },
]);
const manager = createContextManager({
  provider: 'openai',
  model: 'gpt-5',
  config: { contextWindow: 9_000 },
});
for (const message of openaiCodec.toMessages(turns.flat())) manager.append(message);

const { status, record } = await manager.checkAndCompress({ beforeSend: true });
const sent = openaiCodec.fromMessages(manager.view());
if (status !== 'compressed' || !(record.tokensAfter < record.tokensBefore) || sent.length === 0) {
  throw new Error(`The conversation was not compressed: ${status}`);
}
console.log(`${record.tokensBefore} tokens → ${record.tokensAfter}, ${sent.length} messages are sent`);
